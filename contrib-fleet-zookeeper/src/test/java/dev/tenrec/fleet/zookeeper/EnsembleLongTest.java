// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.Rollout;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.metrics.PatientWaits;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.watch.PersistentWatcher;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fleet of a hundred sessions on three ZooKeeper servers, each a process. Prints what it
 * measured.
 */
@Tag("long")
class EnsembleLongTest {

  private static final String KEY =
      "tenrec.command.Command-0.execution.isolation.thread.timeoutInMilliseconds";
  private static final int INSTANCES = Integer.getInteger("tenrec.fleet.instances", 100);
  private static final int WRITES = Integer.getInteger("tenrec.fleet.writes", 200);
  private static final int COMMANDS = 20;

  @TempDir Path directory;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private Ensemble ensemble;
  private ZooKeeperStore store;
  private FleetOperator operator;

  @BeforeEach
  void start() throws Exception {
    ensemble = new Ensemble(directory);
    open.push(ensemble);
    store = store();
    open.push(store);
    operator = FleetOperator.of(store);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private ZooKeeperStore store() {
    return ZooKeeperStore.builder(ensemble.servers(), "shop")
        .digest("alice", "secret")
        .sessionTimeout(Duration.ofSeconds(6))
        .connectPatience(Duration.ofSeconds(60))
        .open();
  }

  /** One process's worth: a session, a member, a Tenrec with commands; notes what it went by. */
  private final class Instance implements AutoCloseable {

    final long begunNanos = System.nanoTime();
    final ZooKeeperStore session = store();
    final long openedNanos = System.nanoTime();
    final FleetMember member;
    final long settingsNanos;
    final Tenrec tenrec;
    final long builtNanos;
    final List<Command<String, String>> commands = new ArrayList<>();

    /** The values it went by, in their order, each once its Tenrec went by it. */
    final List<String> seen = new CopyOnWriteArrayList<>();

    final Map<String, Long> appliedNanos = new ConcurrentHashMap<>();

    Instance(int number) {
      member =
          FleetMember.builder(session, "i-" + number)
              .zone("z-" + number % 3)
              .lastGood(directory.resolve("i-" + number + ".last-good"))
              .start();
      settingsNanos = System.nanoTime();
      tenrec = Tenrec.builder().remoteSource(member).build();
      for (int i = 0; i < COMMANDS; i++) {
        commands.add(
            tenrec
                .command("Command-" + i, (String s) -> s)
                .isolation(Isolation.semaphore(5))
                .withoutTimeout() // its setting is looked at; a thread may be held up for longer
                .build());
      }
      builtNanos = System.nanoTime();
      var unused = // after the Tenrec's own subscription, so that it is applied by then
          member.subscribe(
              () -> {
                String value = member.values("tenrec").get(KEY);
                if (value != null) {
                  appliedNanos.put(value, System.nanoTime());
                  seen.add(value);
                }
              });
      member.observe(tenrec);
    }

    /** How long its start took, by its steps. */
    String startMillis() {
      return String.format(
          "session %d, last-good settings %d, a Tenrec with %d commands %d",
          (openedNanos - begunNanos) / 1_000_000,
          (settingsNanos - openedNanos) / 1_000_000,
          COMMANDS,
          (builtNanos - settingsNanos) / 1_000_000);
    }

    String timeoutInForce() {
      return tenrec.resolvedSettings().effective().stream()
          .filter(
              each ->
                  each.key().equals("Command-0")
                      && each.property().equals("execution.isolation.thread.timeoutInMilliseconds"))
          .map(EffectiveSetting::value)
          .findFirst()
          .orElseThrow();
    }

    @Override
    public void close() {
      tenrec.close();
      member.close();
      session.close();
    }
  }

  private List<Instance> instances(int count) {
    List<Instance> instances = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Instance instance = new Instance(i);
      instances.add(instance);
      open.push(instance);
    }
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() -> assertThat(operator.members()).hasSize(count));
    return instances;
  }

  private Change set(int value) {
    return operator.change("to " + value).set(FleetLayer.FLEET, KEY, String.valueOf(value)).write();
  }

  private static String figures(List<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return Arrays.toString(
        new long[] {
          sorted[sorted.length / 2] / 1_000_000,
          sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)] / 1_000_000,
          sorted[sorted.length - 1] / 1_000_000
        });
  }

  @Test
  void writes_always_reachAHundredInstances() throws Exception {
    List<Instance> instances = instances(INSTANCES);
    List<Long> written = new ArrayList<>();
    List<Long> last = new ArrayList<>();
    List<Long> known = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      String value = String.valueOf(1_000 + i);
      long begunNanos = System.nanoTime();
      Change change = set(1_000 + i);
      written.add(System.nanoTime() - begunNanos);
      Rollout rollout = operator.rollout(change.version(), Duration.ofSeconds(60));
      known.add(System.nanoTime() - begunNanos);
      assertThat(rollout.applied()).as("%s", rollout.waiting()).hasSize(INSTANCES);
      last.add(
          instances.stream().mapToLong(each -> each.appliedNanos.get(value)).max().orElseThrow()
              - begunNanos);
    }
    List<Long> bare = bare();
    System.out.printf(
        "%d instances, %d writes, ms [p50, p99, max]: written %s, last applied %s, operator knows"
            + " %s; bare watch of the last of as many sessions %s; load %.1f on %d processors%n",
        INSTANCES,
        WRITES,
        figures(written),
        figures(last),
        figures(known),
        figures(bare),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
  }

  /** As many plain sessions that watch one node and read it. */
  private List<Long> bare() throws Exception {
    String path = "/bare";
    List<CuratorFramework> clients = new ArrayList<>();
    Map<String, CountDownLatch> latches = new ConcurrentHashMap<>();
    List<Long> last = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      CuratorFramework client =
          CuratorFrameworkFactory.newClient(ensemble.servers(), new RetryOneTime(100));
      client.start();
      clients.add(client);
      open.push(client);
      client.blockUntilConnected(60, TimeUnit.SECONDS);
      if (i == 0) {
        client.create().forPath(path, new byte[] {'-'});
      }
      PersistentWatcher watcher = new PersistentWatcher(client, path, false);
      watcher
          .getListenable()
          .addListener(
              event -> {
                try {
                  client
                      .getData()
                      .inBackground(
                          (ignored, answer) -> {
                            CountDownLatch latch =
                                latches.get(new String(answer.getData(), StandardCharsets.UTF_8));
                            if (latch != null) {
                              latch.countDown();
                            }
                          })
                      .forPath(path);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      watcher.start();
      client.sync().forPath(path);
    }
    for (int i = 0; i < Math.min(WRITES, 50); i++) {
      CountDownLatch latch = new CountDownLatch(INSTANCES);
      latches.put("w" + i, latch);
      long begunNanos = System.nanoTime();
      clients.get(0).setData().forPath(path, ("w" + i).getBytes(StandardCharsets.UTF_8));
      if (latch.await(PatientWaits.seconds(), TimeUnit.SECONDS)) {
        last.add(System.nanoTime() - begunNanos);
      }
    }
    assertThat(last).as("writes that the last session saw").isNotEmpty();
    return last;
  }

  @Test
  void servers_killedInTurn_loseNoWrite_andRepeatNone() throws Exception {
    List<Instance> instances = instances(Math.min(INSTANCES, 20));
    int writes = Integer.getInteger("tenrec.fleet.outage.writes", 500);
    int killed = 0;
    for (int i = 0; i < writes; i++) {
      if (i % 50 == 20) {
        ensemble.kill(killed);
      } else if (i % 50 == 45) {
        ensemble.start(killed);
        killed = (killed + 1) % ensemble.size();
      }
      int value = 1_000 + i;
      String id = "write-" + i;
      await() // an author that had no answer writes it again, with the same id
          .atMost(Duration.ofMinutes(1))
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(
                          operator
                              .change("to " + value)
                              .set(FleetLayer.FLEET, KEY, String.valueOf(value))
                              .id(id)
                              .write()
                              .reason())
                      .isEqualTo("to " + value));
    }
    assertThat(operator.state().manifest().version()).as("each written once").isEqualTo(writes);
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(operator.members())
                  .hasSize(instances.size())
                  .extracting(MemberReport::version)
                  .containsOnly((long) writes);
            });
    assertThat(operator.members()).extracting(MemberReport::settingsHash).hasSize(instances.size());
    assertThat(operator.history(writes))
        .extracting(Change::id)
        .doesNotHaveDuplicates()
        .hasSize(writes);
    for (Instance each : instances) {
      assertThat(each.seen.stream().map(Integer::valueOf).toList())
          .as("in order, none twice")
          .isSorted()
          .doesNotHaveDuplicates()
          .endsWith(1_000 + writes - 1);
    }
  }

  /** How long calls took, to the microsecond. */
  private static final class Delays {

    private final int[] byMicros = new int[1_000_001];
    private long count;
    private long most;

    void add(long nanos) {
      byMicros[(int) Math.min(byMicros.length - 1, nanos / 1_000)]++;
      count++;
      most = Math.max(most, nanos / 1_000);
    }

    private int at(double share) {
      long seen = 0;
      int micros = -1;
      while (seen <= share * count && micros < byMicros.length - 1) {
        micros++;
        seen += byMicros[micros];
      }
      return micros;
    }

    @Override
    public String toString() {
      return "[" + at(0.5) + ", " + at(0.999) + ", " + most + "]";
    }
  }

  /** Calls each instance in turn for a while; each call is answered by its work. */
  private static Delays callsOf(List<Instance> instances, long nanos) {
    Delays recording = new Delays();
    long begunNanos = System.nanoTime();
    while (System.nanoTime() - begunNanos < nanos) {
      for (Instance each : instances) {
        long calledNanos = System.nanoTime();
        Outcome<String> outcome = each.commands.get(0).attempt("x");
        recording.add(System.nanoTime() - calledNanos);
        assertThat(outcome.isSuccess()).isTrue();
      }
    }
    return recording;
  }

  @Test
  void servers_allDownForAWhile_changeNothingForCalls_andAllCatchUp() throws Exception {
    List<Instance> instances = instances(Math.min(INSTANCES, 20));
    Change change = set(777);
    assertThat(operator.rollout(change.version(), Duration.ofSeconds(60)).isComplete()).isTrue();
    List<Instance> staying = instances.subList(1, instances.size());
    long downNanos = Duration.ofSeconds(Integer.getInteger("tenrec.fleet.down", 60)).toNanos();
    Delays before = callsOf(staying, downNanos / 10);
    Instance left = instances.get(0);
    left.close();
    for (int i = 0; i < ensemble.size(); i++) {
      ensemble.kill(i);
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> staying.stream().noneMatch(each -> each.member.status().connected()));
    Instance started = new Instance(0);
    open.push(started);
    assertThat(started.timeoutInForce()).isEqualTo("777");
    Path file = Files.copy(directory.resolve("i-0.last-good"), directory.resolve("cold.last-good"));
    String cold = ColdInstance.run(ensemble.servers(), "i-0", file, KEY);
    assertThat(cold).startsWith("777;");
    Delays down = callsOf(staying, downNanos);
    assertThat(staying)
        .as("the settings of all")
        .allSatisfy(each -> assertThat(each.timeoutInForce()).isEqualTo("777"));
    for (int i = 0; i < ensemble.size(); i++) {
      ensemble.start(i);
    }
    await()
        .atMost(Duration.ofMinutes(3))
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(operator.rollout(set(888).version(), Duration.ofSeconds(20)).applied())
                    .hasSize(instances.size()));
    System.out.printf(
        "all servers down for %d s: %d calls, none refused, us [p50, p99.9, max] %s, and %s before;"
            + " an instance was started meanwhile, ms: %s; in a fresh process, %s%n",
        downNanos / 1_000_000_000, down.count, down, before, started.startMillis(), cold);
    assertThat(started.member.values("tenrec")).containsEntry(KEY, "888");
  }
}
