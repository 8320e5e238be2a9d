// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.zookeeper.ZooKeeperStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The tool against a real ZooKeeper in this JVM, with an instance that follows. */
class TenrecToolTest {

  private static final String TIMEOUT =
      "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private TestingServer server;
  private ZooKeeperStore store;
  private FleetMember member;
  private Tenrec tenrec;

  @BeforeEach
  void start() throws Exception {
    server = new TestingServer(true);
    store =
        ZooKeeperStore.builder(server.getConnectString(), "shop").digest("alice", "s3cret").open();
    member = FleetMember.builder(store, "i-1").start();
    tenrec = Tenrec.builder().remoteSource(member).build();
    var unused =
        tenrec.command("GetQuote", (String s) -> s).isolation(Isolation.semaphore(5)).build();
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
    return plain("s3cret", all);
  }

  private static Answer plain(String password, List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        TenrecTool.commandLine(password)
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
            "alice");
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
    assertThat(run("explain", "GetQuote").out()).contains(TIMEOUT + " = 200 from canary");
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
}
