// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.console.Console;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.store.Stored;
import dev.tenrec.fleet.store.Transaction;
import dev.tenrec.fleet.zookeeper.ZooKeeperStore;
import dev.tenrec.metrics.PatientWaits;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The tool against a real ZooKeeper in this JVM, with an instance that follows. */
class TenrecToolTest {

  private static final String TIMEOUT =
      "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";

  private static final String CONSOLE_TOKEN = "0123456789abcdef";
  private static final Duration PATIENCE = PatientWaits.patience();

  private TestingServer server;
  private ZooKeeperStore store;
  private FleetMember member;
  private Tenrec tenrec;
  private Command<String, String> command;

  @BeforeEach
  void start() throws Exception {
    server = FreshZooKeeper.start();
    store =
        ZooKeeperStore.builder(server.getConnectString(), "shop")
            .digest("alice", "s3cret")
            .connectPatience(PATIENCE)
            .open();
    member = FleetMember.builder(store, "i-1").start();
    tenrec = Tenrec.builder().remoteSource(member).build();
    command = tenrec.command("GetQuote", (String s) -> s).isolation(Isolation.semaphore(5)).build();
    member.observe(tenrec);
    await().atMost(PATIENCE).until(() -> store.read("applied/i-1") != null);
  }

  @AfterEach
  void stop() throws Exception {
    tenrec.close();
    member.close();
    store.close();
    server.close();
  }

  private record Answer(int code, String out, String err) {

    JsonNode json() throws Exception {
      return new ObjectMapper().readTree(out.lines().findFirst().orElseThrow());
    }
  }

  private Answer run(String... arguments) {
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.addAll(List.of("--servers", server.getConnectString(), "--app", "shop", "--user", "alice"));
    all.addAll(List.of("--connect-timeout", "60s"));
    return plain("s3cret", all);
  }

  private static Answer plain(String password, List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        TenrecTool.commandLine(password, CONSOLE_TOKEN)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    int code = line.execute(arguments.toArray(String[]::new));
    return new Answer(code, out.toString(), err.toString());
  }

  private String inForce() {
    return tenrec.resolvedSettings().effective().stream()
        .filter(each -> each.property().endsWith("thread.timeoutInMilliseconds"))
        .findFirst()
        .orElseThrow()
        .value();
  }

  @Test
  void set_always_isAppliedAndKeptInTheHistory() throws Exception {
    Answer set = run("set", "fleet", TIMEOUT + "=300", "--reason", "too slow", "--wait", "60s");
    assertThat(set.code()).as(set.toString()).isZero();
    assertThat(set.out()).contains("set by alice: too slow", "applied by 1 of 1 instances");
    assertThat(inForce()).isEqualTo("300");
    Answer got = run("get", "fleet", "--json");
    assertThat(got.json().at("/settings").get(TIMEOUT).get("value").asText()).isEqualTo("300");
    assertThat(run("get", "--json").json().at("/documents/fleet/version").asLong()).isEqualTo(1);
    Answer history = run("history", "--json");
    assertThat(history.json().get(0).get("reason").asText()).isEqualTo("too slow");
    assertThat(run("get").out()).contains("version 1", TIMEOUT + " = 300");
    assertThat(run("members").out()).contains("i-1: version 1");
    assertThat(run("diff", "0").out()).contains("not set -> 300");
    assertThat(run("watch", "1", "--wait", "30s").out()).contains("applied by 1 of 1");
  }

  @Test
  void exitCodes_always_sayWhatWasWrong() {
    assertThat(run("set", "fleet", TIMEOUT + "=300").code())
        .as("no reason")
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("set", "fleets", TIMEOUT + "=300", "--reason", "x").code())
        .isEqualTo(ExitCode.USAGE);
    Answer bad = run("set", "fleet", TIMEOUT + "=fast", "--reason", "x");
    assertThat(bad.code()).isEqualTo(ExitCode.INVALID);
    assertThat(bad.err()).contains(TIMEOUT, "whole number");
    assertThat(run("dry-run", "fleet", TIMEOUT + "=fast").code()).isEqualTo(ExitCode.INVALID);
    assertThat(run("promote", "--reason", "x").err()).contains("there is no canary");
    assertThat(run("set", "fleet", TIMEOUT + "=300", "--reason", "x", "--expect", "7").code())
        .isEqualTo(ExitCode.CONFLICT);
    assertThat(run("freeze", "--reason", "holidays").code()).isZero();
    assertThat(run("set", "fleet", TIMEOUT + "=300", "--reason", "x").code())
        .isEqualTo(ExitCode.FROZEN);
    assertThat(run("thaw", "--reason", "over").code()).isZero();
    List<String> wrong =
        List.of(
            "set",
            "fleet",
            TIMEOUT + "=300",
            "--reason",
            "x",
            "--servers",
            server.getConnectString(),
            "--app",
            "shop",
            "--user",
            "alice",
            "--connect-timeout",
            "60s");
    assertThat(plain("wrong", wrong).code()).isEqualTo(ExitCode.DENIED);
    assertThat(plain(null, wrong).err()).contains("TENREC_PASSWORD");
    assertThat(
            plain(
                    "s3cret",
                    List.of(
                        "get",
                        "--servers",
                        "127.0.0.1:1",
                        "--user",
                        "alice",
                        "--connect-timeout",
                        "200ms"))
                .code())
        .isEqualTo(ExitCode.UNAVAILABLE);
  }

  @Test
  void canary_always_isTriedExplainedAndPromoted() throws Exception {
    Answer tried =
        run(
            "canary",
            TIMEOUT + "=200",
            "--members",
            "i-1",
            "--lasts",
            "10m",
            "--guard-errors",
            "20",
            "--reason",
            "try",
            "--wait",
            "60s");
    assertThat(tried.code()).as(tried.toString()).isZero();
    assertThat(inForce()).isEqualTo("200");
    assertThat(run("explain", "GetQuote").out())
        .contains(TIMEOUT + " = 200 from canary, version 1 by alice");
    Answer promoted = run("promote", "--reason", "fine", "--wait", "60s", "--json");
    assertThat(promoted.code()).isZero();
    assertThat(promoted.json().get("kind").asText()).isEqualTo("promote");
    assertThat(run("get", "fleet").out()).contains(TIMEOUT + " = 200");
    assertThat(run("undo", "2", "--reason", "back", "--wait", "60s").code()).isZero();
    assertThat(inForce()).isEqualTo("1000");
  }

  @Test
  void set_forAWhileWithAnId_isWrittenOnce() {
    String force = "tenrec.command.GetQuote.circuitBreaker.forceOpen=true";
    String[] arguments = {"set", "fleet", force, "--for", "1s", "--id", "c-1", "--reason", "stop"};
    assertThat(run(arguments).out()).startsWith("1 ");
    assertThat(run(arguments).out()).startsWith("1 ");
    assertThat(run("get").out()).contains("version 1").contains("true for 1 s");
  }

  @Test
  void advise_always_asksAnInstancesPageAndIsTriedAsACanaryIfWanted() throws Exception {
    String volume = "tenrec.command.GetQuote.circuitBreaker.requestVolumeThreshold";
    tenrec.set("tenrec.command.default.metrics.rollingStats.timeInMilliseconds", "1000");
    try (Console console = Console.builder(tenrec).token(CONSOLE_TOKEN).start()) {
      String page = console.uri().toString();
      Answer begun = run("advise", "GetQuote", "--console", page);
      assertThat(begun.code()).as(begun.toString()).isZero();
      assertThat(begun.out()).contains("nothing to change can be proposed", "not said: ");
      for (int i = 0; i < 3; i++) {
        // too few in a window for the circuit ever to open; late ones count as well
        var unused = command.attempt("one");
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          run("advise", "GetQuote", "--console", page, "--json")
                              .json()
                              .at("/proposals/0/property")
                              .asText())
                      .isEqualTo("circuitBreaker.requestVolumeThreshold"));
      Answer dry = run("advise", "GetQuote", "--console", page, "--dry-run");
      assertThat(dry.out()).contains("set " + volume + "=", "was 20", "not set -> ");
      assertThat(run("history", "--json").json()).as("nothing was written").isEmpty();
      String[] trying = {
        "advise",
        "GetQuote",
        "--console",
        page,
        "--reason",
        "as advised",
        "--lasts",
        "10m",
        "--members",
        "i-1",
        "--guard-errors",
        "5",
        "--watch",
        "10ms",
        "--id",
        "a-1"
      };
      List<String> wouldTry = new ArrayList<>(Arrays.asList(trying));
      wouldTry.add("--dry-run");
      Answer would = run(wouldTry.toArray(String[]::new));
      assertThat(would.code()).as(would.toString()).isZero();
      assertThat(would.out()).contains(volume + " of canary: not set -> ", "concerns 1 instances");
      assertThat(run("history", "--json").json()).as("nothing was written").isEmpty();
      Answer tried = run(trying);
      assertThat(tried.code()).as(tried.toString()).isZero();
      assertThat(tried.out()).contains("canary by alice: as advised");
      assertThat(run("get", "canary").out()).contains(volume, "i-1");
      assertThat(run(trying).code()).as("sent again").isZero();
      assertThat(run("history", "--json").json()).hasSize(1);

      assertThat(run("advise", "Nobody", "--console", page).code()).isEqualTo(ExitCode.USAGE);
      assertThat(run("advise", "GetQuote", "--console", "file:/x").code())
          .isEqualTo(ExitCode.USAGE);
      assertThat(run("advise", "GetQuote").code()).as("no page").isEqualTo(ExitCode.USAGE);
      assertThat(run("advise", "GetQuote", "--console", page, "--lasts", "10m").code())
          .as("no reason")
          .isEqualTo(ExitCode.USAGE);
      assertThat(run("advise", "GetQuote", "--console", "http://127.0.0.1:1/tenrec/").code())
          .isEqualTo(ExitCode.UNAVAILABLE);
    }
    try (Console other = Console.builder(tenrec).token("another-0123456789").start()) {
      Answer denied = run("advise", "GetQuote", "--console", other.uri().toString());
      assertThat(denied.code()).isEqualTo(ExitCode.DENIED);
      assertThat(denied.err()).contains("TENREC_CONSOLE_TOKEN").doesNotContain(CONSOLE_TOKEN);
    }
  }

  /** A page that answers every question so. */
  private static HttpServer page(String answer, List<URI> asked) throws IOException {
    HttpServer page = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    page.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI());
          byte[] bytes = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    page.start();
    return page;
  }

  @Test
  void advise_ofWhatIsNoPage_saysSo_andPrintsNoToken() throws Exception {
    String half = "{\"key\":\"A\",\"proposals\":[{}],\"withheld\":[],\"warnings\":[]}";
    String nothing = half.replace("{}", "null");
    for (String answer : List.of("{}", "null", "<html>", half, nothing)) {
      List<URI> asked = new CopyOnWriteArrayList<>();
      HttpServer other = page(answer, asked);
      try {
        String address = "http://127.0.0.1:" + other.getAddress().getPort() + "/a%20b";
        Answer said = run("advise", "GetQuote", "--console", address + "?token=s3same#top");
        assertThat(said.code()).as(answer).isEqualTo(ExitCode.FAILED);
        assertThat(said.err())
            .as(answer)
            .contains("what answers at " + address + "/ is no page of Tenrec's")
            .doesNotContain("s3same");
        assertThat(asked).extracting(URI::toString).containsExactly("/a%20b/advice?key=GetQuote");
      } finally {
        other.stop(0);
      }
    }
    Answer away = run("advise", "GetQuote", "--console", "http://u:pw@127.0.0.1:1/?token=s3same");
    assertThat(away.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(away.err()).contains("http://127.0.0.1:1/").doesNotContain("s3same", "pw@");
  }

  @Test
  void advise_ofAPageThatProposesWhatNoAdviserDoes_writesNothing() throws Exception {
    String open =
        "{\"key\":\"GetQuote\",\"watchedMillis\":1,\"proposals\":[{\"scope\":\"command\","
            + "\"key\":\"GetQuote\",\"property\":\"circuitBreaker.forceOpen\",\"present\":\"false\","
            + "\"proposed\":\"true\",\"reason\":\"so\"}],\"withheld\":[],\"warnings\":[]}";
    HttpServer other = page(open, new CopyOnWriteArrayList<>());
    try {
      String address = "http://127.0.0.1:" + other.getAddress().getPort() + "/";
      Answer said =
          run(
              "advise",
              "GetQuote",
              "--console",
              address,
              "--reason",
              "as advised",
              "--lasts",
              "10m",
              "--share",
              "100");
      assertThat(said.code()).isEqualTo(ExitCode.FAILED);
      assertThat(said.err())
          .contains("proposes what no adviser does of GetQuote", "circuitBreaker.forceOpen");
      assertThat(run("history", "--json").json()).isEmpty();
    } finally {
      other.stop(0);
    }
  }

  @Test
  void everyChange_thatExpectsAnotherVersion_isRefusedAsALostUpdate() {
    String[] expecting0 = {"--expect", "0", "--reason", "mine"};
    run("canary", TIMEOUT + "=200", "--members", "i-1", "--lasts", "10m", "--reason", "try");
    for (String[] change :
        new String[][] {
          {"promote"},
          {"rollback"},
          {"undo", "1"},
          {"freeze"},
          {"thaw"},
          {"set", "fleet", TIMEOUT + "=300"}
        }) {
      List<String> arguments = new ArrayList<>(Arrays.asList(change));
      arguments.addAll(Arrays.asList(expecting0));
      Answer refused = run(arguments.toArray(String[]::new));
      assertThat(refused.code()).as(refused.toString()).isEqualTo(ExitCode.CONFLICT);
      assertThat(refused.err())
          .contains("expected version 0, but there is version 1 by alice: try");
    }
    assertThat(run("promote", "--expect", "1", "--reason", "fine").code()).isZero();
    assertThat(run("undo", "2", "--expect", "1", "--reason", "back").code())
        .isEqualTo(ExitCode.CONFLICT);
    assertThat(run("undo", "2", "--expect", "2", "--reason", "back").out()).startsWith("3 ");
    assertThat(run("get").out()).startsWith("version 3").doesNotContain(TIMEOUT);
  }

  @Test
  void promote_sentAgainWithItsId_isWrittenOnce() {
    run("canary", TIMEOUT + "=200", "--members", "i-1", "--lasts", "10m", "--reason", "try");
    String[] promote = {"promote", "--reason", "fine", "--id", "p-1"};
    assertThat(run(promote).out()).startsWith("2 ");
    assertThat(run(promote).out()).startsWith("2 ");
  }

  @Test
  void etcd_byItsMembersAddresses_isUsedInstead() {
    String nobodys = "http://127.0.0.1:1";
    Answer away =
        plain("s3cret", List.of("get", "--servers", nobodys, "--app", "shop", "--user", "alice"));
    assertThat(away.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(away.err()).contains("etcd");
    assertThat(plain(null, List.of("get", "--servers", nobodys, "--app", "shop")).err())
        .contains("no user was given");
  }

  /** As a person with the store's own tool; null deletes it. */
  private void tamper(String name, String text) {
    Stored head = store.read("head");
    store.commit(
        new Transaction(
            "head",
            head.revision(),
            text == null ? Map.of("head", head.text()) : Map.of("head", head.text(), name, text),
            text == null ? Set.of(name) : Set.of()));
  }

  @Test
  void document_thatDoesNotFit_isNamedByGet_stopsNoOther_andIsWrittenAnewOnDemand()
      throws Exception {
    String layer = "instance/i-1";
    String[] wanted = {"set", layer, TIMEOUT + "=500", "--reason", "as it was", "--wait", "60s"};
    for (String how : List.of("missing", "damaged", "older")) {
      assertThat(run("set", layer, TIMEOUT + "=300", "--reason", "x").code()).as(how).isZero();
      String older = store.read("config/" + layer).text();
      assertThat(run("set", layer, TIMEOUT + "=400", "--reason", "x", "--wait", "60s").code())
          .isZero();
      tamper(
          "config/" + layer,
          switch (how) {
            case "missing" -> null;
            case "damaged" -> "{not json";
            default -> older;
          });

      String misfit = "the document " + layer + " is missing, older or damaged: the manifest names";
      Answer got = run("get");
      assertThat(got.code()).as(got.toString()).isZero();
      assertThat(got.out()).as(how).contains("MISFIT: " + misfit);
      assertThat(run("get", layer).err()).contains(misfit);
      assertThat(run("get", layer, "--json").code()).isEqualTo(ExitCode.FAILED);
      Answer json = run("get", "--json");
      assertThat(json.json().at("/documents").has(layer)).isFalse();
      assertThat(json.err()).contains(misfit);
      assertThat(run("explain", "GetQuote").err()).contains(misfit);

      assertThat(run("set", "fleet", TIMEOUT + "=700", "--reason", "others").code()).isZero();
      assertThat(run("freeze", "--reason", "look").code()).isZero();
      assertThat(run("thaw", "--reason", "looked").code()).isZero();
      Answer refused = run(wanted);
      assertThat(refused.code()).isEqualTo(ExitCode.INVALID);
      assertThat(refused.err()).contains(misfit, "--anew");
      Answer dry = run("dry-run", layer, TIMEOUT + "=500");
      assertThat(dry.code()).as("as that of the change").isEqualTo(ExitCode.INVALID);
      assertThat(dry.out()).contains(misfit, "is lost");
      List<String> byHabit = new ArrayList<>(Arrays.asList(wanted));
      byHabit.add("--force");
      assertThat(run(byHabit.toArray(String[]::new)).code()).isEqualTo(ExitCode.INVALID);
      assertThat(inForce()).isEqualTo("400");

      assertThat(run("dry-run", layer, TIMEOUT + "=500", "--anew").code()).isZero();
      List<String> anew = new ArrayList<>(Arrays.asList(wanted));
      anew.add("--anew");
      Answer mended = run(anew.toArray(String[]::new));
      assertThat(mended.code()).as(mended.toString()).isZero();
      assertThat(mended.out()).contains("written anew, what it had is lost: " + layer);
      assertThat(inForce()).isEqualTo("500");
      assertThat(run("get").out()).doesNotContain("MISFIT");
    }
  }

  /** Runs the tool on another thread: if that waits for ever, the test fails. */
  private static Answer inTime(List<String> arguments) throws Exception {
    FutureTask<Answer> asked = new FutureTask<>(() -> plain("s3cret", arguments));
    Thread asking = new Thread(asked, "asking");
    asking.setDaemon(true);
    asking.start();
    return asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void advise_ofAPageThatDoesNotEndItsAnswer_isGivenUp() throws Exception {
    HttpServer other = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    other.createContext(
        "/silent/",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
        });
    other.createContext(
        "/endless/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] some = "[".repeat(64 * 1024).getBytes(UTF_8);
          try (OutputStream body = exchange.getResponseBody()) {
            while (true) {
              body.write(some);
            }
          }
        });
    other.start();
    try {
      String page = "http://127.0.0.1:" + other.getAddress().getPort();
      List<String> advise = List.of("advise", "GetQuote", "--console");
      List<String> silent = new ArrayList<>(advise);
      silent.addAll(List.of(page + "/silent/", "--connect-timeout", "300ms"));
      Answer late = inTime(silent);
      assertThat(late.code()).as(late.toString()).isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(late.err()).contains("did not end its answer in PT0.3S");
      List<String> endless = new ArrayList<>(advise);
      endless.addAll(List.of(page + "/endless/", "--connect-timeout", "10m"));
      Answer much = inTime(endless);
      assertThat(much.code()).as(much.toString()).isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(much.err()).contains("has more than 4194304 bytes");
    } finally {
      other.stop(0);
    }
  }

  @Test
  void advise_expectingAnotherVersion_isRefusedAsALostUpdate() throws Exception {
    String advice =
        "{\"key\":\"GetQuote\",\"watchedMillis\":1,\"proposals\":[{\"scope\":\"command\","
            + "\"key\":\"GetQuote\",\"property\":\"circuitBreaker.requestVolumeThreshold\","
            + "\"present\":\"20\",\"proposed\":\"5\",\"reason\":\"so\"}],\"withheld\":[],"
            + "\"warnings\":[]}";
    HttpServer page = page(advice, new CopyOnWriteArrayList<>());
    try {
      List<String> trying =
          List.of(
              "advise",
              "GetQuote",
              "--console",
              "http://127.0.0.1:" + page.getAddress().getPort() + "/",
              "--reason",
              "as advised",
              "--lasts",
              "10m",
              "--share",
              "100",
              "--guard-p99",
              "3000000000000h",
              "--expect");
      run("set", "fleet", TIMEOUT + "=300", "--reason", "first");
      List<String> late = new ArrayList<>(trying);
      late.add("0");
      Answer refused = run(late.toArray(String[]::new));
      assertThat(refused.code()).as(refused.toString()).isEqualTo(ExitCode.CONFLICT);
      assertThat(refused.err()).contains("expected version 0, but there is version 1");
      List<String> right = new ArrayList<>(trying);
      right.add("1");
      Answer tried = run(right.toArray(String[]::new));
      assertThat(tried.code()).as(tried.toString()).isZero();
      assertThat(run("get", "canary").out()).contains(String.valueOf(Long.MAX_VALUE));
    } finally {
      page.stop(0);
    }
  }
}
