// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tenrec.core.advice.Proposal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks the live page of one instance, over HTTP, what its adviser says. Follows no redirection. */
final class ConsoleClient {

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** Of an answer: far more than any adviser says. */
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI page;
  private final @Nullable String token;
  private final Duration patience;

  /**
   * Of this page.
   *
   * @param page its address, as {@code http://shop-7:7980/tenrec/}
   * @param token that it asks for; null for none
   * @param patience how long an answer may take
   */
  ConsoleClient(URI page, @Nullable String token, Duration patience) {
    String scheme = page.getScheme();
    if (page.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw new IllegalArgumentException(
          "--console: expected the address of an instance's page, as http://shop-7:7980/tenrec/");
    }
    String path = page.getRawPath();
    this.page = // without a query or a user, which may be secrets
        URI.create(
            scheme
                + "://"
                + page.getHost()
                + (page.getPort() < 0 ? "" : ":" + page.getPort())
                + (path.endsWith("/") ? path : path + "/"));
    this.token = token;
    this.patience = patience;
  }

  /**
   * What an adviser says of one command.
   *
   * @param key of the command
   * @param watchedMillis for how long it has been watched
   * @param proposals what should be others
   * @param present what the settings in force cost; null if there is too little data
   * @param proposed what the proposed ones would cost; null likewise
   * @param withheld what cannot be said, and why
   * @param warnings what looks wrong besides
   */
  record Advised(
      String key,
      long watchedMillis,
      List<Proposed> proposals,
      @Nullable String present,
      @Nullable String proposed,
      List<String> withheld,
      List<String> warnings) {

    /** What should be another. */
    record Proposed(
        String scope, String key, String property, String present, String proposed, String reason) {

      boolean isWhole() {
        return scope != null
            && key != null
            && property != null
            && present != null
            && proposed != null
            && reason != null;
      }

      Proposal proposal() {
        return new Proposal(scope, key, property, present, proposed, reason);
      }
    }

    /** Whether it has all that every page says. */
    boolean isWhole() {
      return key != null
          && proposals != null
          && proposals.stream().allMatch(each -> each != null && each.isWhole())
          && withheld != null
          && warnings != null;
    }

    /** The proposals by their full keys. */
    Map<String, String> properties(String prefix) {
      Map<String, String> properties = new TreeMap<>();
      proposals.forEach(each -> properties.put(each.proposal().name(prefix), each.proposed()));
      return properties;
    }
  }

  Advised advice(String key) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(page.resolve("advice?key=" + URLEncoder.encode(key, UTF_8)));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    CompletableFuture<HttpResponse<String>> asked =
        http.sendAsync(request.build(), head -> new BoundedText(MOST_BYTES));
    try {
      HttpResponse<String> answer =
          asked.get(TimeUnit.NANOSECONDS.convert(patience), TimeUnit.NANOSECONDS);
      return switch (answer.statusCode()) {
        case 200 -> read(key, answer.body());
        case 401, 403 ->
            throw new DeniedException(
                "the page does not let this tool read: its token is TENREC_CONSOLE_TOKEN");
        case 404 -> throw new IllegalArgumentException("the page knows no command '" + key + "'");
        default -> throw new IllegalStateException("the page answers " + answer.statusCode());
      };
    } catch (JsonProcessingException bad) {
      throw noPage();
    } catch (ExecutionException failed) {
      throw new UnreachableException(
          "the page at " + page + " is not reached: " + failed.getCause());
    } catch (TimeoutException late) {
      boolean unused = asked.cancel(true);
      throw new UnreachableException(
          "the page at " + page + " is not reached: it did not end its answer in " + patience);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while the page was asked");
    }
  }

  /** Whatever answers, no setting gets into a canary that an adviser does not propose. */
  private Advised read(String key, String answer) throws JsonProcessingException {
    Advised advised = JSON.readValue(answer, Advised.class);
    if (advised == null || !advised.isWhole()) {
      throw noPage();
    }
    for (Advised.Proposed each : advised.proposals()) {
      if (!each.proposal().isOf(key)) {
        throw new IllegalStateException(
            "the page at "
                + page
                + " proposes what no adviser does of "
                + key
                + ": "
                + each.proposal().name("tenrec"));
      }
    }
    return advised;
  }

  private IllegalStateException noPage() {
    return new IllegalStateException("what answers at " + page + " is no page of Tenrec's");
  }

  /** The page wants a token, or another one. */
  static final class DeniedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DeniedException(String message) {
      super(message);
    }
  }

  /** The page cannot be reached. */
  static final class UnreachableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreachableException(String message) {
      super(message);
    }
  }
}
