// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenrec.fleet.store.StoreAccessDeniedException;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Posts requests to the members' JSON gateway, the one that answered last first, with the token of
 * a log-in, which is renewed when etcd forgets it. What goes wrong becomes a store's exception.
 *
 * <p>Thread-safe.
 */
final class EtcdGateway {

  /** gRPC's status codes, which the gateway hands on. */
  private static final int INVALID_ARGUMENT = 3;

  private static final int DEADLINE_EXCEEDED = 4;
  private static final int NOT_FOUND = 5;
  private static final int PERMISSION_DENIED = 7;
  private static final int FAILED_PRECONDITION = 9;
  private static final int UNAVAILABLE = 14;
  private static final int UNAUTHENTICATED = 16;

  private static final String NO_TOKEN = "";
  private static final JsonMapper JSON = new JsonMapper();

  private final List<URI> members;
  private final @Nullable String user;
  private final @Nullable String password;
  private final boolean allowUnauthenticated;
  private final Duration timeout;
  private final HttpClient http;

  /**
   * Which member answered last. Written and read by any thread, ordered by volatile access; one
   * that is out of date costs a request that fails.
   */
  private volatile int preferred;

  /**
   * As {@link #preferred}; null before the first log-in, and when etcd does not take it any more.
   */
  private volatile @Nullable String token;

  EtcdGateway(
      List<URI> members,
      @Nullable String user,
      @Nullable String password,
      boolean allowUnauthenticated,
      Duration timeout,
      @Nullable SSLContext sslContext) {
    this.members = members;
    this.user = user;
    this.password = password;
    this.allowUnauthenticated = allowUnauthenticated;
    this.timeout = timeout;
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
    if (sslContext != null) {
      builder.sslContext(sslContext);
    }
    this.http = builder.build();
  }

  /**
   * What etcd has answered.
   *
   * @param body as JSON
   * @param dateMillis when, by the clock of the member that did, to the second
   */
  record Answer(JsonNode body, long dateMillis) {}

  /** Whether a request that may have been carried out may be sent to another member. */
  enum Repeat {
    ALLOWED,
    FORBIDDEN
  }

  /** What the request names is not there, such as a lease that has expired. */
  static final class NotFoundException extends StoreException {

    private static final long serialVersionUID = 1L;

    NotFoundException(String message) {
      super(message);
    }
  }

  /** The token is not taken (any more): nothing was done. */
  private static final class TokenException extends StoreException {

    private static final long serialVersionUID = 1L;

    TokenException(String message) {
      super(message);
    }
  }

  /** No member has got the request. */
  private static final class NotSentException extends Exception {

    private static final long serialVersionUID = 1L;

    NotSentException(Throwable cause) {
      super(cause);
    }
  }

  /** Sends a request and hands over what there is of its answer. */
  @FunctionalInterface
  private interface Exchange<T> {
    T with(URI member, String token) throws NotSentException;
  }

  static ObjectNode message() {
    return JSON.createObjectNode();
  }

  /** Reads one line of a stream. */
  static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException bad) {
      // its message would show the text
      throw new StoreUnavailableException("what answered was no etcd: its answer is no JSON");
    }
  }

  /** Waits for the answer to this message. */
  Answer call(String path, ObjectNode message, Repeat repeat) {
    return withToken(taken -> call(path, message, repeat, taken));
  }

  /** Waits for the beginning of the answer to this message; the caller closes it. */
  InputStream stream(String path, ObjectNode message) {
    return withToken(
        taken ->
            onAnyMember(
                Repeat.ALLOWED,
                taken,
                (member, token) -> {
                  HttpResponse<InputStream> response =
                      send(
                          request(member, path, message, token)
                              // it ends where its member has lost the others
                              .header("Grpc-Metadata-hasleader", "true"),
                          HttpResponse.BodyHandlers.ofInputStream());
                  if (response.statusCode() != 200) {
                    throw failure(response.statusCode(), text(response.body()));
                  }
                  return response.body();
                }));
  }

  private static String text(InputStream body) {
    try (body) {
      return new String(body.readNBytes(4096), StandardCharsets.UTF_8);
    } catch (IOException lost) {
      return "";
    }
  }

  /** As whom this session is authenticated, now; empty for nobody. */
  String logIn() {
    if (user == null || password == null) {
      token = NO_TOKEN;
      return "";
    }
    ObjectNode credentials = message().put("name", user).put("password", password);
    try {
      Answer answer = call("auth/authenticate", credentials, Repeat.ALLOWED, NO_TOKEN);
      token = answer.body().path("token").asText();
      return user;
    } catch (RejectedException rejected) {
      if (rejected.code == FAILED_PRECONDITION && allowUnauthenticated) {
        token = NO_TOKEN;
        return "";
      }
      throw new StoreAccessDeniedException(
          rejected.code == FAILED_PRECONDITION
              ? "etcd authenticates nobody, so every client may change the settings: enable its"
                  + " authentication, or allow that with allowUnauthenticated()"
              : "etcd does not let " + user + " in: " + rejected.getMessage(),
          rejected);
    }
  }

  /** The next request logs in again. */
  void forgetToken() {
    token = null;
  }

  /** The next request goes to another member, if there is one. */
  void preferAnother() {
    preferred = (preferred + 1) % members.size();
  }

  /** A request that needs a token. */
  @FunctionalInterface
  private interface Tokened<T> {
    T with(String token);
  }

  private <T> T withToken(Tokened<T> request) {
    try {
      return request.with(currentToken());
    } catch (TokenException expired) {
      forgetToken();
      try {
        return request.with(currentToken());
      } catch (TokenException again) {
        throw new StoreAccessDeniedException("etcd takes no token of this session", again);
      }
    }
  }

  private String currentToken() {
    String known = token;
    if (known == null) {
      String unused = logIn();
      known = token;
    }
    return known == null ? NO_TOKEN : known;
  }

  private Answer call(String path, ObjectNode message, Repeat repeat, String with) {
    return onAnyMember(
        repeat,
        with,
        (member, token) -> {
          HttpResponse<byte[]> response =
              send(request(member, path, message, token), HttpResponse.BodyHandlers.ofByteArray());
          String text = new String(response.body(), StandardCharsets.UTF_8);
          if (response.statusCode() != 200) {
            throw failure(response.statusCode(), text);
          }
          return new Answer(parse(text), date(response));
        });
  }

  private <T> T onAnyMember(Repeat repeat, String with, Exchange<T> exchange) {
    int first = preferred;
    StoreUnavailableException last = null;
    for (int i = 0; i < members.size(); i++) {
      int index = (first + i) % members.size();
      URI member = members.get(index);
      try {
        T result = exchange.with(member, with);
        preferred = index;
        return result;
      } catch (NotSentException away) {
        last =
            new StoreUnavailableException(
                "etcd is not reached at " + member.getHost() + ":" + member.getPort(), away);
      } catch (StoreUnavailableException away) {
        if (repeat == Repeat.FORBIDDEN || Thread.currentThread().isInterrupted()) {
          throw away;
        }
        last = away;
      }
    }
    throw last == null ? new StoreUnavailableException("etcd is not reached") : last;
  }

  private HttpRequest.Builder request(URI member, String path, ObjectNode message, String token) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(member.resolve("/v3/" + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(message.toString()));
    return token.isEmpty() ? builder : builder.header("Authorization", token);
  }

  private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body)
      throws NotSentException {
    CompletableFuture<HttpResponse<T>> pending = http.sendAsync(request.build(), body);
    try {
      return pending.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      Throwable cause = Objects.requireNonNullElse(failed.getCause(), failed);
      if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
        throw new NotSentException(cause);
      }
      throw new StoreUnavailableException("etcd was lost: " + cause, cause);
    } catch (TimeoutException late) {
      pending.cancel(true);
      throw new StoreUnavailableException("etcd has not answered within " + timeout, late);
    } catch (InterruptedException interrupted) {
      pending.cancel(true);
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("interrupted while etcd was asked", interrupted);
    }
  }

  private static long date(HttpResponse<?> response) {
    try {
      return response
          .headers()
          .firstValue("Date")
          .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME))
          .map(date -> date.toInstant().toEpochMilli())
          .orElse(0L);
    } catch (DateTimeException bad) {
      return 0;
    }
  }

  /** etcd has understood, and does not want to. */
  private static final class RejectedException extends StoreException {

    private static final long serialVersionUID = 1L;
    private final int code;

    RejectedException(int code, String message) {
      super(message);
      this.code = code;
    }
  }

  private StoreException failure(int status, String text) {
    JsonNode body = parse(text.isBlank() ? "{}" : text);
    return failure(status, body.path("code").asInt(-1), body.path("message").asText());
  }

  /**
   * What an answer of etcd's stands for.
   *
   * @param code gRPC's; -1 if there is none
   */
  private StoreException failure(int status, int code, String message) {
    String words = "etcd answered " + status + (message.isEmpty() ? "" : ": " + message);
    return switch (code) {
      case UNAUTHENTICATED -> new TokenException(words);
      case PERMISSION_DENIED -> new StoreAccessDeniedException(words);
      case NOT_FOUND -> new NotFoundException(words);
      case DEADLINE_EXCEEDED, UNAVAILABLE -> new StoreUnavailableException(words);
      case INVALID_ARGUMENT, FAILED_PRECONDITION ->
          isAboutToken(message) ? new TokenException(words) : new RejectedException(code, words);
      default ->
          status >= 500 || status == 429
              ? new StoreUnavailableException(words)
              : new RejectedException(code, words);
    };
  }

  /** etcd has no code for these two. */
  private static boolean isAboutToken(String message) {
    return message.contains("user name is empty") || message.contains("auth store is old");
  }

  /** Whether a watch was ended for a token that etcd does not take (any more). */
  static boolean isOverToken(String cancelReason) {
    return cancelReason.contains("Unauthenticated") || isAboutToken(cancelReason);
  }
}
