// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.Rollout;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.metrics.PatientWaits;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small fleet on a real ZooKeeper in this JVM, that goes away and comes back. */
class ZooKeeperFleetTest {

  private static final String TIMEOUT =
      "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";
  private static final String PASSWORD = "not-to-be-seen-7f3a91";
  private static final Duration PATIENCE = PatientWaits.patience();

  @TempDir Path directory;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private TestingServer server;
  private FleetOperator operator;

  @BeforeEach
  void start() throws Exception {
    server = FreshZooKeeper.start();
    ZooKeeperStore store = store("alice");
    open.push(store);
    operator = FleetOperator.of(store);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    server.close();
  }

  private ZooKeeperStore store(String user) {
    return ZooKeeperStore.builder(server.getConnectString(), "shop")
        .digest(user, PASSWORD)
        .connectPatience(Duration.ofSeconds(20))
        .open();
  }

  private final class Instance implements AutoCloseable {

    final ZooKeeperStore store;
    final FleetMember member;
    final Tenrec tenrec;

    Instance(String id) {
      store =
          ZooKeeperStore.builder(server.getConnectString(), "shop")
              .digest("alice", PASSWORD)
              .connectPatience(Duration.ofSeconds(20))
              .open();
      member = FleetMember.builder(store, id).lastGood(directory.resolve(id)).start();
      tenrec = Tenrec.builder().remoteSource(member).build();
      var unused =
          tenrec.command("GetQuote", (String s) -> s).isolation(Isolation.semaphore(5)).build();
      member.observe(tenrec);
    }

    String timeout() {
      return tenrec.resolvedSettings().effective().stream()
          .filter(each -> each.property().endsWith("thread.timeoutInMilliseconds"))
          .map(EffectiveSetting::value)
          .findFirst()
          .orElseThrow();
    }

    @Override
    public void close() {
      tenrec.close();
      member.close();
      store.close();
    }
  }

  private Instance instance(String id) {
    Instance instance = new Instance(id);
    open.push(instance);
    return instance;
  }

  private Change set(String millis) {
    return operator.change("to " + millis).set(FleetLayer.FLEET, TIMEOUT, millis).write();
  }

  private void applied(Change change, int instances) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              Rollout rollout = operator.rollout(change.version(), Duration.ofSeconds(5));
              assertThat(rollout.waiting()).isEmpty();
              assertThat(rollout.applied()).hasSize(instances);
            });
  }

  @Test
  void change_always_isAppliedByAllAndReported() {
    long before = System.currentTimeMillis();
    List<Instance> instances = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      instances.add(instance("i-" + i));
    }
    for (int millis = 300; millis < 310; millis++) {
      Change change = set(String.valueOf(millis));
      applied(change, 5);
      for (Instance each : instances) {
        assertThat(each.timeout()).isEqualTo(String.valueOf(millis));
      }
    }
    assertThat(operator.history(3))
        .extracting(Change::author, Change::reason)
        .contains(tuple("alice", "to 309"));
    assertThat(operator.history(1).get(0).whenMillis())
        .isBetween(before, System.currentTimeMillis());
  }

  @Test
  void outage_always_leavesTheSettings_andEndsInAllCaughtUp() throws Exception {
    Instance one = instance("i-1");
    Instance left = new Instance("i-2");
    applied(set("300"), 2);
    left.close();
    server.stop();
    await().atMost(PATIENCE).until(() -> !one.member.status().connected());
    assertThat(one.timeout()).isEqualTo("300");
    Instance started = instance("i-2");
    assertThat(started.timeout()).as("of its last-good file").isEqualTo("300");
    assertThat(started.member.status().fromLastGood()).isTrue();
    server.restart();
    await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> applied(set("400"), 2));
    assertThat(one.timeout() + started.timeout()).isEqualTo("400400");
    assertThat(started.member.status().fromLastGood()).isFalse();
  }

  @Test
  void store_thatWasWiped_isWrittenAndReportedToBySessionsThatAreOpen() throws Exception {
    Instance one = instance("i-1");
    applied(set("300"), 1);
    try (CuratorFramework person = person()) {
      person.start();
      await() // the instance may report meanwhile
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(() -> person.delete().deletingChildrenIfNeeded().forPath("/tenrec"));
    }
    assertThat(set("400").version()).as("begun anew").isEqualTo(1);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(operator.members().toString()).contains("i-1", "of another lineage"));
    assertThat(one.timeout()).isEqualTo("300");
    try (Instance late = new Instance("i-2")) {
      await().atMost(PATIENCE).until(() -> late.timeout().equals("400"));
    }
  }

  @Test
  void session_thatExpired_followsAndReportsAgain() throws Exception {
    Instance one = instance("i-1");
    applied(set("300"), 1);
    one.store.expire();
    applied(set("400"), 1);
    assertThat(one.timeout()).isEqualTo("400");
  }

  @Test
  void password_ofASession_isInNoLogNodeReportOrFile() throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8)); // the log's
    try {
      Instance one = instance("i-1");
      applied(set("300"), 1);
      Change odd =
          operator.change("odd").set(FleetLayer.FLEET, TIMEOUT, "fast").unchecked().write();
      applied(odd, 1);
      server.stop();
      await().atMost(PATIENCE).until(() -> !one.member.status().connected());
      await() // its own thread says so, and not any more if the server is back by then
          .atMost(PATIENCE)
          .until(() -> logged.toString(StandardCharsets.UTF_8).contains("is not reached"));
      server.restart();
      await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> applied(set("400"), 1));
    } finally {
      System.setErr(before);
    }
    assertThat(logged.toString(StandardCharsets.UTF_8))
        .contains("fast", "is not reached")
        .doesNotContain(PASSWORD);
    assertThat(operator.history(10) + " " + operator.members() + " " + operator.state())
        .contains("fast")
        .doesNotContain(PASSWORD);
    await() // the file is written last
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Files.readString(directory.resolve("i-1")))
                    .contains("400")
                    .doesNotContain(PASSWORD));
    try (CuratorFramework anybody = person()) {
      anybody.start();
      assertThat(texts(anybody, "/tenrec")).contains("400").doesNotContain(PASSWORD);
    }
  }

  /** With ZooKeeper's own tool. */
  private CuratorFramework person() {
    return CuratorFrameworkFactory.builder()
        .connectString(server.getConnectString())
        .authorization("digest", ("alice:" + PASSWORD).getBytes(StandardCharsets.UTF_8))
        .retryPolicy(new RetryOneTime(100))
        .build();
  }

  /** All that is in a node and below it; one that goes meanwhile has nothing. */
  private static String texts(CuratorFramework client, String path) throws Exception {
    try {
      byte[] data = client.getData().forPath(path);
      StringBuilder all = new StringBuilder(path).append(' ');
      if (data != null) {
        all.append(new String(data, StandardCharsets.UTF_8));
      }
      all.append('\n');
      for (String child : client.getChildren().forPath(path)) {
        all.append(texts(client, path + "/" + child));
      }
      return all.toString();
    } catch (KeeperException.NoNodeException gone) {
      return "";
    }
  }
}
