// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.fleet.FleetRefusedException.Reason;
import dev.tenrec.fleet.internal.Names;
import dev.tenrec.fleet.model.CanaryGuard;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.Difference;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.model.Setting;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.MemoryStore;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.Unprintable;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Waiter;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small fleet on the store in memory: what operators change, and what instances go by. */
class FleetTest {

  private static final String TIMEOUT =
      "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";
  private static final String SLEEP =
      "tenrec.command.default.circuitBreaker.sleepWindowInMilliseconds";
  private static final String FORCE = "tenrec.command.GetQuote.circuitBreaker.forceOpen";
  private static final String DASHES = "tenrec.command.GetQuote.circuit-breaker.force-open";
  private static final Duration PATIENCE = PatientWaits.patience();

  /** So long a member's start waits for the store's first answer. */
  private static final Duration LONGEST_START = Duration.ofSeconds(5);

  @TempDir Path directory;

  private final AtomicLong storeMillis = new AtomicLong(1_000_000_000L);
  private final MemoryStore engine =
      new MemoryStore((InstantSource) () -> Instant.ofEpochMilli(storeMillis.get()));
  private final ManualTime time = new ManualTime();
  private final Set<String> instances = new HashSet<>();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final FleetOperator operator = FleetOperator.of(engine.connect("alice"));

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** An instance: a session, a member, a Tenrec with the command GetQuote. */
  private final class Instance {

    final String id;
    final FleetStore store = engine.connect("instance");
    final FleetMember member;
    final List<Thread> followers;
    final Tenrec tenrec;
    final List<SettingChange> changes = new CopyOnWriteArrayList<>();

    Instance(String id, String zone) {
      this.id = id;
      FleetMemberBuilder builder =
          FleetMember.builder(store, id)
              .time(time, time)
              .lastGood(directory.resolve(id + ".last-good"));
      member = (zone == null ? builder : builder.zone(zone)).start();
      followers = threadsNamed("tenrec-fleet-" + id);
      open.push(member);
      tenrec = Tenrec.builder().remoteSource(member).onSettingChange(changes::add).build();
      open.push(tenrec);
      var unused =
          tenrec.command("GetQuote", (String s) -> s).isolation(Isolation.semaphore(5)).build();
      member.observe(tenrec);
      instances.add(id);
    }

    String value(String property) {
      return tenrec.resolvedSettings().effective().stream()
          .filter(each -> each.scope().equals("command") && each.property().equals(property))
          .map(EffectiveSetting::value)
          .findFirst()
          .orElseThrow();
    }

    String timeout() {
      return value("execution.isolation.thread.timeoutInMilliseconds");
    }

    void leave() {
      instances.remove(id);
      tenrec.close();
      member.close();
      // which waits 5 s for its thread, that may have its last-good file to write yet
      await().until(() -> followers.stream().noneMatch(Thread::isAlive));
      store.close();
    }
  }

  private static List<Thread> threadsNamed(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .toList();
  }

  /** Applied by all instances of the test, also by those that have not reported yet. */
  private Rollout applied(Change change) {
    await()
        .untilAsserted(
            () ->
                assertThat(operator.rollout(change.version(), PATIENCE).applied())
                    .containsAll(instances));
    Rollout rollout = operator.rollout(change.version(), PATIENCE);
    assertThat(rollout.waiting()).isEmpty();
    return rollout;
  }

  private MemberReport report(String id) {
    return operator.members().stream()
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no report of " + id));
  }

  /**
   * Holds as soon as it has started: or later, if it has waited for the store's first answer for as
   * long as a start does.
   */
  private static void holdsFrom(long startNanos, Runnable assertion) {
    if (System.nanoTime() - startNanos < LONGEST_START.toNanos()) {
      assertion.run();
    } else {
      await().untilAsserted(assertion::run);
    }
  }

  private void pass(Duration span) {
    storeMillis.addAndGet(span.toMillis());
    time.advance(span);
  }

  @Test
  void layers_fleetZoneInstance_laterWinsKeyByKey() {
    Instance one = new Instance("i-1", "a");
    Instance two = new Instance("i-2", "b");
    Change first =
        operator
            .change("all start alike")
            .set(FleetLayer.FLEET, TIMEOUT, "300")
            .set(FleetLayer.FLEET, SLEEP, "4000")
            .write();
    assertThat(first.version()).isEqualTo(1);
    assertThat(applied(first).applied()).containsExactly("i-1", "i-2");
    assertThat(one.timeout() + one.value("circuitBreaker.sleepWindowInMilliseconds"))
        .isEqualTo("3004000");
    applied(operator.change("zone b is far").set(FleetLayer.zone("b"), TIMEOUT, "500").write());
    assertThat(one.timeout() + " " + two.timeout()).isEqualTo("300 500");
    applied(operator.change("try").set(FleetLayer.instance("i-2"), TIMEOUT, "700").write());
    assertThat(two.timeout()).isEqualTo("700");
    Change cleared = operator.change("back").clear(FleetLayer.instance("i-2"), TIMEOUT).write();
    assertThat(cleared.version()).as("deleting is a new version").isEqualTo(4);
    applied(cleared);
    assertThat(two.timeout()).isEqualTo("500");
    assertThat(report("i-1").settingsHash()).isNotEqualTo(report("i-2").settingsHash());
    assertThat(operator.history(10))
        .extracting(Change::version, Change::author, Change::reason)
        .contains(org.assertj.core.groups.Tuple.tuple(2L, "alice", "zone b is far"))
        .hasSize(4);
  }

  @Test
  void report_ofAnInstanceWhoseCircuitsRefuse_namesThem() {
    Instance one = new Instance("i-1", null);
    applied(operator.change("down").set(FleetLayer.FLEET, FORCE, "true").write());
    assertThat(report("i-1").refusing()).containsExactly("GetQuote");
    one.tenrec.set(FORCE, "false"); // of its own, so that nothing in the store changes
    await()
        .untilAsserted(
            () -> {
              time.advance(Duration.ofSeconds(11)); // it looks each 10 s
              assertThat(report("i-1").refusing()).isEmpty();
            });
  }

  @Test
  void change_withAnId_isWrittenOnceHoweverOftenItIsSent() {
    Instance one = new Instance("i-1", null);
    applied(
        operator
            .change("try")
            .set(FleetLayer.CANARY, TIMEOUT, "250")
            .canary(List.of("i-1"), 0, Duration.ofHours(1))
            .write());
    FleetOperator sure = operator.withId("promote-1");
    Change once = sure.promote("no difference");
    assertThat(sure.promote("no difference").version()).isEqualTo(once.version()).isEqualTo(2);
    applied(once);
    assertThat(one.timeout()).isEqualTo("250");
    assertThat(
            operator.withId("set-1").change("why").set(FleetLayer.FLEET, SLEEP, "1").write().id())
        .isEqualTo("set-1");
    assertThat(operator.author() + operator.prefix()).isEqualTo("alicetenrec");
    assertThatThrownBy(() -> operator.withId(" ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void instance_thatIsCutOff_saysSoItselfAndKeepsItsSettings() {
    Instance one = new Instance("i-1", "a");
    applied(operator.change("shorter").set(FleetLayer.FLEET, TIMEOUT, "300").write());
    SourceStatus before = one.tenrec.sourceStatus().orElseThrow();
    assertThat(before.connected()).isTrue();
    engine.goAway();
    await().until(() -> !one.tenrec.sourceStatus().orElseThrow().connected());
    SourceStatus away = one.tenrec.sourceStatus().orElseThrow();
    assertThat(away).isEqualTo(one.member.status());
    assertThat(away.instance() + " in " + away.zone() + " by " + away.author())
        .isEqualTo("i-1 in a by alice");
    assertThat(away.version()).isEqualTo(before.version()).isEqualTo(1);
    assertThat(one.timeout()).isEqualTo("300");
    engine.comeBack();
    await().until(() -> one.tenrec.sourceStatus().orElseThrow().connected());
  }

  @Test
  void report_always_saysWhatWasRefusedAndWhatIsMasked() {
    Instance one = new Instance("i-1", null);
    one.tenrec.set(TIMEOUT, "111");
    Change change =
        operator
            .change("with a bad one")
            .set(FleetLayer.FLEET, TIMEOUT, "300")
            .set(FleetLayer.FLEET, SLEEP, "soon")
            .set(FleetLayer.FLEET, "tenrec.command.GetQuote.fallback.enabled", "${some.secret}")
            .unchecked()
            .write();
    Rollout rollout = applied(change);
    MemberReport report = report("i-1");
    assertThat(report.refused())
        .extracting(MemberReport.Refused::key)
        .containsExactlyInAnyOrder(SLEEP, "tenrec.command.GetQuote.fallback.enabled");
    assertThat(report.masked()).extracting(MemberReport.Masked::key).containsExactly(TIMEOUT);
    assertThat(one.member.status().author() + ": " + one.member.status().reason())
        .isEqualTo("alice: with a bad one");
    assertThat(rollout.remarks().get("i-1")).contains("refused", "whole number", "memory");
    assertThat(one.timeout()).isEqualTo("111");
  }

  @Test
  void key_inAnotherSpelling_isTakenAsInstancesTakeIt() {
    Instance one = new Instance("i-1", "a");
    Change change =
        operator
            .change("in brackets")
            .set(FleetLayer.FLEET, "tenrec.command[GetQuote].circuitBreaker.forceOpen", "true")
            .set(FleetLayer.FLEET, "tenrec.thread-pool.Pricing.core-size", "7")
            .write();
    applied(change);
    assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("true");
    assertThat(report("i-1").masked()).isEmpty();
    assertThat(report("i-1").refused()).isEmpty();
    assertThat(change.differences())
        .extracting(Difference::key)
        .as("by their one name, as everywhere else")
        .containsExactly(FORCE, "tenrec.threadpool.Pricing.coreSize");

    applied(operator.change("but not here").set(FleetLayer.zone("a"), DASHES, "false").write());
    assertThat(one.value("circuitBreaker.forceOpen")).as("the later layer's").isEqualTo("false");

    applied(operator.change("back").clear(FleetLayer.zone("a"), FORCE).write());
    assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("true");
    applied(operator.change("all").clear(FleetLayer.FLEET, DASHES).write());
    assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("false");
  }

  @Test
  void badValue_inAnotherSpelling_isRefused_andReportedIfItIsWrittenUnchecked() {
    Instance one = new Instance("i-1", null);
    FleetDraft bad = operator.change("bad").set(FleetLayer.FLEET, DASHES, "perhaps");
    assertThat(bad.dryRun().refused()).extracting(MemberReport.Refused::key).containsExactly(FORCE);
    assertThatThrownBy(bad::write)
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContaining("must be true");
    applied(bad.unchecked().write());
    assertThat(report("i-1").refused())
        .extracting(MemberReport.Refused::key)
        .containsExactly(FORCE);
    assertThat(report("i-1").masked()).isEmpty();

    applied(operator.change("good").set(FleetLayer.FLEET, DASHES, "true").unchecked().write());
    assertThat(report("i-1").refused()).isEmpty();
    assertThat(report("i-1").masked()).isEmpty();
    assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("true");
  }

  @Test
  void key_thatStandsInTheStoreInAnotherSpelling_isOneWithTheKeyItself() {
    operator.change("as another operator's version").set(FleetLayer.FLEET, FORCE, "true").write();
    String document = engine.connect("x").read("config/fleet").text();
    engine.tamper("config/fleet", document.replace(FORCE, DASHES));
    Instance one = new Instance("i-1", "a");
    assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("true");
    await().untilAsserted(() -> assertThat(report("i-1").version()).isEqualTo(1));
    assertThat(report("i-1").masked()).isEmpty();
    one.changes.clear();

    applied(operator.change("not here").set(FleetLayer.zone("a"), FORCE, "false").write());
    assertThat(one.value("circuitBreaker.forceOpen")).as("the later layer's").isEqualTo("false");
    applied(operator.change("back").clear(FleetLayer.zone("a"), FORCE).write());
    assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("true");
    one.changes.clear();
    applied(operator.change("no more").clear(FleetLayer.FLEET, FORCE).write());
    assertThat(operator.state().of(FleetLayer.FLEET).settings()).isEmpty();
    assertThat(origins(one)).containsExactly("circuitBreaker.forceOpen=false version 4 by alice");
  }

  /** As a version of the operator wrote it that left keys as they were given. */
  private void respell(String name) {
    String document = engine.connect("x").read(name).text();
    assertThat(document).contains(FORCE);
    engine.tamper(name, document.replace(FORCE, DASHES));
  }

  private Change canaryOfForce(String value) {
    return operator
        .change("try")
        .set(FleetLayer.CANARY, FORCE, value)
        .canary(List.of("i-1"), 0, Duration.ofMinutes(10))
        .write();
  }

  @Test
  void canary_thatAZoneMasksInAnotherSpelling_isNotPromoted() {
    operator.change("zone").set(FleetLayer.zone("a"), FORCE, "false").write();
    respell("config/zone/a");
    Change canary = canaryOfForce("true");
    assertThatThrownBy(() -> operator.promote("fine"))
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContainingAll("zone/a", FORCE)
        .satisfies(
            thrown ->
                assertThat(((FleetRefusedException) thrown).reason()).isEqualTo(Reason.MASKED));
    assertThat(operator.state().manifest().version()).isEqualTo(canary.version());
  }

  @Test
  void canary_inAnotherSpellingThanTheFleets_isTheFleetsOncePromoted() {
    Instance one = new Instance("i-1", null);
    operator.change("old").set(FleetLayer.FLEET, FORCE, "false").write();
    canaryOfForce("true");
    respell("config/canary");
    Change promoted = operator.promote("fine");
    applied(promoted);
    assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("true");
    assertThat(operator.state().of(FleetLayer.FLEET).settings()).containsOnlyKeys(FORCE);
    assertThat(promoted.differences())
        .extracting(each -> each.layer() + " " + each.key())
        .containsExactly("fleet " + FORCE, "canary " + FORCE);
  }

  @Test
  void undo_ofAChangeInAnotherSpelling_goesByTheKeyItself() {
    operator.change("set").set(FleetLayer.FLEET, FORCE, "true").write();
    operator.change("cleared").clear(FleetLayer.FLEET, FORCE).write();
    operator.change("set again").set(FleetLayer.FLEET, FORCE, "false").write();
    for (Change each : operator.history(2)) {
      respell(Names.history(each.version()));
    }
    assertThatThrownBy(() -> operator.undo(2, "no"))
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContaining("changed again since, by version 3 of alice")
        .satisfies(
            thrown ->
                assertThat(((FleetRefusedException) thrown).reason()).isEqualTo(Reason.CONFLICT));
    respell("config/fleet");
    assertThat(operator.undo(3, "back").differences())
        .extracting(Difference::key)
        .containsExactly(FORCE);
    assertThat(operator.state().of(FleetLayer.FLEET).settings()).isEmpty();
  }

  @Test
  void dryRun_ofWhatAZoneBeatsInAnotherSpelling_saysSo() {
    operator.change("zone").set(FleetLayer.zone("a"), FORCE, "false").write();
    respell("config/zone/a");
    assertThat(operator.change("all").set(FleetLayer.FLEET, FORCE, "true").dryRun().effects())
        .contains("  in zone/a it is beaten by false");
  }

  @Test
  void state_ofAKeyInTwoSpellings_hasBoth() {
    operator.change("once").set(FleetLayer.FLEET, FORCE, "true").write();
    respell("config/fleet");
    assertThat(operator.state().of(FleetLayer.FLEET).settings()).containsOnlyKeys(FORCE);
    String document = engine.connect("x").read("config/fleet").text();
    String one = document.substring(document.indexOf('"' + DASHES), document.indexOf('}') + 1);
    engine.tamper("config/fleet", document.replace(one, one + "," + one.replace(DASHES, FORCE)));
    assertThat(operator.state().of(FleetLayer.FLEET).settings()).containsOnlyKeys(FORCE, DASHES);
  }

  @Test
  void report_ofAGlobalValueThatCodeBeats_saysSo() {
    Instance one = new Instance("i-1", null);
    String permits = "execution.isolation.semaphore.maxConcurrentRequests";
    applied(
        operator
            .change("fewer")
            .set(FleetLayer.FLEET, "tenrec.command.default." + permits, "3")
            .write());
    assertThat(report("i-1").masked().toString())
        .contains("what code gave for the command GetQuote");
    assertThat(one.value(permits)).isEqualTo("5");
  }

  @Test
  void write_thatBreaksARule_isRefusedBeforeItIsWritten() {
    Map<String, String> bad =
        Map.of(
            TIMEOUT,
            "fast",
            "tenrec.command.GetQuote.timout",
            "1",
            "hystrix.command.GetQuote.circuitBreaker.forceOpen",
            "true",
            "tenrec.command.GetQuote.metrics.rollingStats.numBuckets",
            "7",
            "tenrec.threadpool.Pricing.coreSize",
            "0",
            "tenrec.threadpool.default.metrics.rollingStats.numBuckets",
            "7",
            "tenrec.semaphore.Stock.maxConcurrentRequests",
            "-1",
            "tenrec.ratelimiter.Bank.permits",
            "0",
            "tenrec.retrybudget.Bank.percent",
            "101",
            FORCE,
            "${x}");
    bad.forEach(
        (key, value) ->
            assertThatThrownBy(
                    () -> operator.change("bad").set(FleetLayer.FLEET, key, value).write())
                .as(key)
                .isInstanceOf(FleetRefusedException.class)
                .hasMessageContaining(key)
                .satisfies(
                    thrown ->
                        assertThat(((FleetRefusedException) thrown).reason())
                            .isEqualTo(Reason.INVALID)));
    assertThat(operator.state().manifest().version()).isZero();
    assertThatThrownBy(() -> operator.change(" ")).hasMessageContaining("reason");
  }

  @Test
  void dryRun_always_saysWhatWouldComeOfIt_andWritesNothing() {
    Instance one = new Instance("i-1", "a");
    applied(operator.change("b").set(FleetLayer.zone("a"), TIMEOUT, "400").write());
    DryRun dry =
        operator
            .change("x")
            .set(FleetLayer.FLEET, TIMEOUT, "300")
            .set(FleetLayer.FLEET, SLEEP, "no")
            .dryRun();
    assertThat(dry.baseVersion()).isEqualTo(1);
    assertThat(dry.refused()).extracting(MemberReport.Refused::key).containsExactly(SLEEP);
    assertThat(String.join("\n", dry.effects()))
        .contains("not set -> 300; concerns 1 instances, 1 of them have the command GetQuote")
        .contains("in zone/a it is beaten by 400");
    assertThat(operator.state().manifest().version()).isEqualTo(1);
    assertThat(one.timeout()).isEqualTo("400");
  }

  @Test
  void write_expectingAnotherVersion_isRefused() {
    Change first = operator.change("one").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    operator.change("two, by another").set(FleetLayer.zone("a"), TIMEOUT, "400").write();
    assertThatThrownBy(
            () ->
                operator
                    .change("late")
                    .set(FleetLayer.FLEET, TIMEOUT, "500")
                    .expecting(first.version())
                    .write())
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContainingAll("expected version 1", "version 2", "alice", "two, by another");
    assertThat(operator.state().of(FleetLayer.FLEET).settings().get(TIMEOUT).value())
        .isEqualTo("300");
  }

  @Test
  void write_withTheSameId_isWrittenOnce() {
    FleetDraft draft = operator.change("once").set(FleetLayer.FLEET, TIMEOUT, "300").id("c-1");
    assertThat(draft.write().version()).isEqualTo(1);
    operator.change("between").set(FleetLayer.FLEET, TIMEOUT, "400").write();
    assertThat(draft.write().version()).as("the one it made").isEqualTo(1);
    assertThat(operator.state().manifest().version()).isEqualTo(2);
    assertThat(operator.state().of(FleetLayer.FLEET).settings().get(TIMEOUT).value())
        .isEqualTo("400");
  }

  @Test
  void write_byNobody_isRefused_unlessAllowed() {
    FleetOperator anonymous = FleetOperator.of(engine.connect(""));
    assertThatThrownBy(() -> anonymous.change("x").set(FleetLayer.FLEET, TIMEOUT, "1").write())
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContaining("not authenticated");
    assertThat(
            anonymous
                .allowAnonymous()
                .change("x")
                .set(FleetLayer.FLEET, TIMEOUT, "1")
                .write()
                .author())
        .isEqualTo("anonymous");
  }

  @Test
  void write_ofATooLargeDocument_isRefusedBeforeItIsSent() {
    FleetDraft draft = operator.change("much").unchecked();
    for (int i = 0; i < 4_000; i++) {
      draft.set(FleetLayer.FLEET, TIMEOUT.replace("GetQuote", "Get" + i), "300");
    }
    assertThatThrownBy(draft::write)
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContaining("262144");
    assertThat(operator.state().manifest().version()).isZero();
  }

  @Test
  void write_ofMoreThanTheStoreTakesAtOnce_isRefusedBeforeItIsSent() {
    FleetDraft draft = operator.change("much").unchecked();
    for (int layer = 0; layer < 5; layer++) {
      for (int i = 0; i < 1_500; i++) {
        draft.set(FleetLayer.zone("z" + layer), TIMEOUT.replace("GetQuote", "Get" + i), "300");
      }
    }
    assertThatThrownBy(draft::write)
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContaining("in several");
    assertThat(operator.state().manifest().version()).isZero();
  }

  @Test
  void canary_promoted_isTheFleets() {
    Instance one = new Instance("i-1", "a");
    Instance two = new Instance("i-2", "b");
    applied(operator.change("start").set(FleetLayer.FLEET, TIMEOUT, "300").write());
    applied(
        operator
            .change("try 200")
            .set(FleetLayer.CANARY, TIMEOUT, "200")
            .canary(List.of("i-2"), 0, Duration.ofMinutes(10))
            .write());
    assertThat(one.timeout() + " " + two.timeout()).isEqualTo("300 200");
    assertThat(report("i-2").canary()).isEqualTo("in 2");
    assertThat(operator.history(1).get(0).canary().members()).containsExactly("i-2");
    assertThat(report("i-1").canary()).isNull();
    assertThatThrownBy(
            () ->
                operator
                    .change("another")
                    .set(FleetLayer.CANARY, TIMEOUT, "100")
                    .canary(List.of("i-1"), 0, Duration.ofMinutes(10))
                    .write())
        .hasMessageContaining("there is a canary already");
    assertThat(two.tenrec.resolvedSettings().effective())
        .filteredOn(each -> each.origin() != null)
        .extracting(EffectiveSetting::origin)
        .containsExactly(new SettingOrigin(2, "alice"));
    applied(operator.promote("it was fine"));
    assertThat(one.timeout() + " " + two.timeout()).isEqualTo("200 200");
    assertThat(two.tenrec.resolvedSettings().effective())
        .filteredOn(each -> each.origin() != null)
        .extracting(EffectiveSetting::origin)
        .as("the same value, by the promotion now")
        .containsExactly(new SettingOrigin(3, "alice"));
    assertThat(operator.state().of(FleetLayer.CANARY).canary()).isNull();
  }

  @Test
  void canary_thatAZoneMasks_isNotPromoted_andCanBeRolledBack() {
    Instance two = new Instance("i-2", "b");
    operator.change("zone").set(FleetLayer.zone("a"), TIMEOUT, "900").write();
    Change canary =
        operator
            .change("try 200")
            .set(FleetLayer.CANARY, TIMEOUT, "200")
            .canary(List.of(), 100, Duration.ofMinutes(10))
            .write();
    applied(canary);
    assertThat(two.timeout()).isEqualTo("200");
    assertThatThrownBy(() -> operator.promote("fine"))
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContainingAll("zone/a", TIMEOUT);
    applied(operator.rollBack("not worth it"));
    assertThat(two.timeout()).isEqualTo("1000");
  }

  @Test
  void canary_whoseEndComes_isLeftByItself_alsoWhileTheStoreIsAway() {
    Instance two = new Instance("i-2", null);
    applied(
        operator
            .change("try")
            .set(FleetLayer.CANARY, TIMEOUT, "200")
            .canary(List.of("i-2"), 0, Duration.ofMinutes(10))
            .write());
    engine.goAway();
    pass(Duration.ofMinutes(9));
    assertThat(two.timeout()).isEqualTo("200");
    await()
        .untilAsserted(
            () -> {
              pass(Duration.ofSeconds(30));
              assertThat(two.timeout()).isEqualTo("1000");
            });
    engine.comeBack();
    await()
        .untilAsserted(
            () -> assertThat(report("i-2").canary()).contains("left 1: its end has come"));
  }

  @Test
  void canary_whoseCallsAreBeyondTheirDeadline_isLeft() {
    Instance one = new Instance("i-1", null);
    applied(
        operator
            .change("try")
            .set(FleetLayer.CANARY, TIMEOUT, "200")
            .canary(List.of(), 100, Duration.ofMinutes(10))
            .guard(new CanaryGuard(null, 10, 20, null, null))
            .write());
    var late =
        one.tenrec
            .command("Late", (String s) -> s)
            .isolation(Isolation.semaphore(1))
            .withDeadline()
            .build();
    try (Scope over = Deadline.after(one.tenrec, Duration.ZERO).open()) {
      for (int i = 0; i < 10; i++) {
        assertThat(late.attempt("x").isSuccess()).isFalse();
      }
    }
    await()
        .untilAsserted(
            () -> {
              pass(Duration.ofSeconds(1));
              assertThat(report("i-1").canary())
                  .contains("left 1", "Late", "10 errors in 10 calls", "20 %");
            });
  }

  /** One instance in a canary with this guard. */
  private Instance guarded(CanaryGuard guard) {
    Instance one = new Instance("i-1", null);
    applied(
        operator
            .change("try")
            .set(FleetLayer.CANARY, TIMEOUT, "200")
            .canary(List.of(), 100, Duration.ofMinutes(10))
            .guard(guard)
            .write());
    assertThat(one.timeout()).isEqualTo("200");
    return one;
  }

  private void leaves(Instance one, String... why) {
    await()
        .untilAsserted(
            () -> {
              pass(Duration.ofSeconds(1));
              assertThat(report("i-1").canary()).contains("left 1").contains(why);
            });
    assertThat(one.timeout()).isEqualTo("1000");
  }

  @Test
  void canary_thatRefusesTooMuch_isLeft() {
    Instance one = guarded(new CanaryGuard(null, 10, null, 20, null));
    var full =
        one.tenrec.command("Full", (String s) -> s).isolation(Isolation.semaphore(0)).build();
    for (int i = 0; i < 10; i++) {
      assertThat(full.attempt("x").isSuccess()).isFalse();
    }
    leaves(one, "Full", "10 refusals in 10 calls", "20 %");
  }

  @Test
  void canary_thatIsTooSlow_isLeft() {
    Instance one = guarded(new CanaryGuard("Slow", 10, null, null, 2L));
    Duration work = Duration.ofMillis(5);
    var slow =
        one.tenrec
            .command(
                "Slow",
                (String s) -> {
                  long begunNanos = System.nanoTime();
                  while (System.nanoTime() - begunNanos < work.toNanos()) {
                    Thread.onSpinWait(); // the work itself
                  }
                  return s;
                })
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .build();
    for (int i = 0; i < 10; i++) {
      assertThat(slow.execute("x")).isEqualTo("x");
    }
    leaves(one, "Slow", "a p99 of", "in 10 calls", "2 ms");
  }

  @Test
  void canary_whoseGuardTrips_isLeftByTheMemberAlone() {
    Instance one = new Instance("i-1", null);
    Instance two = new Instance("i-2", null);
    applied(
        operator
            .change("try")
            .set(FleetLayer.CANARY, TIMEOUT, "200")
            .canary(List.of(), 100, Duration.ofMinutes(10))
            .guard(new CanaryGuard(null, 10, 20, null, null))
            .write());
    var failing =
        two.tenrec
            .command(
                "Fails",
                (String s) -> {
                  throw new IllegalStateException("no");
                })
            .isolation(Isolation.semaphore(1))
            .build();
    // its errors are still known, whenever the member looks
    two.tenrec.set("tenrec.command.Fails.metrics.rollingStats.timeInMilliseconds", "600000");
    for (int i = 0; i < 10; i++) {
      var unused = failing.attempt("x");
    }
    await()
        .untilAsserted(
            () -> {
              pass(Duration.ofSeconds(1));
              assertThat(two.timeout()).isEqualTo("1000");
            });
    await()
        .untilAsserted(
            () -> {
              pass(Duration.ofSeconds(1)); // what could not be reported is tried again later
              assertThat(report("i-2").canary())
                  .contains("left 1", "Fails", "10 errors in 10 calls", "20 %");
            });
    assertThat(one.timeout()).isEqualTo("200");
    assertThat(report("i-1").canary()).isEqualTo("in 1");
    two.leave();
    Instance again = new Instance("i-2", null);
    assertThat(again.timeout()).as("it does not join the same canary again").isEqualTo("1000");
  }

  @Test
  void override_forAWhile_endsByItself_alsoIfTheDocumentIsWrittenAgain() {
    Instance one = new Instance("i-1", null);
    applied(
        operator
            .change("stop it")
            .setFor(FleetLayer.FLEET, FORCE, "true", Duration.ofMinutes(10))
            .write());
    assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("true");
    pass(Duration.ofMinutes(6));
    applied(operator.change("else").set(FleetLayer.FLEET, TIMEOUT, "300").write());
    assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("true");
    long start = System.nanoTime();
    Instance late = new Instance("i-2", null);
    holdsFrom(start, () -> assertThat(late.value("circuitBreaker.forceOpen")).isEqualTo("true"));
    pass(Duration.ofMinutes(4));
    await()
        .untilAsserted(() -> assertThat(one.value("circuitBreaker.forceOpen")).isEqualTo("false"));
    await()
        .untilAsserted(() -> assertThat(late.value("circuitBreaker.forceOpen")).isEqualTo("false"));
    assertThat(one.timeout()).isEqualTo("300");
  }

  @Test
  void override_forLongerThanCanBeCounted_staysForGood() {
    Instance one = new Instance("i-1", null);
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    applied(operator.change("stop").setFor(FleetLayer.FLEET, FORCE, "true", longest).write());
    applied(
        operator
            .change("try")
            .set(FleetLayer.CANARY, TIMEOUT, "250")
            .canary(List.of("i-1"), 0, longest)
            .write());
    pass(Duration.ofDays(365));
    assertThat(operator.members()).hasSize(1);
    assertThat(one.value("circuitBreaker.forceOpen") + one.timeout()).isEqualTo("true250");
  }

  @Test
  void undo_always_takesOneChangeBack_unlessItWasChangedAgain() {
    operator.change("1").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    operator
        .change("2")
        .set(FleetLayer.FLEET, TIMEOUT, "400")
        .set(FleetLayer.FLEET, SLEEP, "9")
        .write();
    operator.change("3").set(FleetLayer.zone("a"), TIMEOUT, "500").write();
    Change undone = operator.undo(2, "was wrong");
    assertThat(undone.version()).isEqualTo(4);
    assertThat(operator.state().of(FleetLayer.FLEET).settings())
        .containsOnlyKeys(TIMEOUT)
        .satisfies(settings -> assertThat(settings.get(TIMEOUT).value()).isEqualTo("300"));
    assertThat(operator.state().of(FleetLayer.zone("a")).settings()).containsKey(TIMEOUT);
    assertThatThrownBy(() -> operator.undo(2, "again"))
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContaining("changed again since");
    assertThatThrownBy(() -> operator.undo(77, "none")).hasMessageContaining("no version 77");
  }

  @Test
  void undo_afterAnOverridesEnd_doesNotBringItBack() {
    operator.change("1").setFor(FleetLayer.FLEET, FORCE, "true", Duration.ofMinutes(10)).write();
    pass(Duration.ofMinutes(11));
    FleetDraft second = operator.change("2").set(FleetLayer.FLEET, TIMEOUT, "300");
    assertThat(second.dryRun().differences())
        .extracting(Difference::key)
        .as("its end is nobody's change")
        .containsExactly(TIMEOUT);
    assertThat(second.write().differences()).extracting(Difference::key).containsExactly(TIMEOUT);
    operator.undo(2, "was wrong");
    assertThat(operator.state().of(FleetLayer.FLEET).settings()).isEmpty();
  }

  @Test
  void undo_ofClearingAnOverride_bringsBackOnlyWhatIsLeftOfIt() {
    operator.change("1").setFor(FleetLayer.FLEET, FORCE, "true", Duration.ofMinutes(10)).write();
    long begun = storeMillis.get();
    pass(Duration.ofMinutes(4));
    operator.change("2").clear(FleetLayer.FLEET, FORCE).write();
    operator.undo(2, "too early");
    assertThat(operator.state().of(FleetLayer.FLEET).settings().get(FORCE).startMillis())
        .isEqualTo(begun);
    operator
        .change("4")
        .clear(FleetLayer.FLEET, FORCE)
        .set(FleetLayer.FLEET, TIMEOUT, "300")
        .write();
    pass(Duration.ofMinutes(7));
    operator.undo(4, "its end has come meanwhile");
    assertThat(operator.state().of(FleetLayer.FLEET).settings()).isEmpty();
  }

  @Test
  void undo_ofAnOverrideThatHasEnded_takesTheRestOfItsVersionBack() {
    operator.change("1").set(FleetLayer.FLEET, FORCE, "false").write();
    operator
        .change("2")
        .setFor(FleetLayer.FLEET, FORCE, "true", Duration.ofMinutes(10))
        .set(FleetLayer.FLEET, TIMEOUT, "300")
        .write();
    pass(Duration.ofMinutes(11));
    operator.undo(2, "was wrong");
    assertThat(operator.state().of(FleetLayer.FLEET).settings())
        .containsOnlyKeys(FORCE)
        .satisfies(settings -> assertThat(settings.get(FORCE).value()).isEqualTo("false"));
  }

  @Test
  void override_renewedBeforeItsEnd_isAChange_ofWhoRenewedIt() {
    operator.change("1").setFor(FleetLayer.FLEET, FORCE, "true", Duration.ofMinutes(10)).write();
    long begun = storeMillis.get();
    pass(Duration.ofMinutes(6));
    FleetOperator bob = FleetOperator.of(engine.connect("bob"));
    FleetDraft renewal =
        bob.change("still down")
            .setFor(FleetLayer.FLEET, FORCE, "true", Duration.ofMinutes(10))
            .set(FleetLayer.zone("a"), TIMEOUT, "300");
    assertThat(renewal.dryRun().differences()).hasSize(2);
    assertThat(renewal.write().differences()).hasSize(2);
    Setting renewed = operator.state().of(FleetLayer.FLEET).settings().get(FORCE);
    assertThat(renewed.version() + " by " + renewed.author()).isEqualTo("2 by bob");
    Change other = bob.change("another key").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    assertThat(other.differences()).extracting(Difference::key).containsExactly(TIMEOUT);
    operator.undo(2, "once was enough");
    Setting first = operator.state().of(FleetLayer.FLEET).settings().get(FORCE);
    assertThat(first.startMillis()).as("the rest of the first").isEqualTo(begun);
  }

  @Test
  void undo_ofWhatOthersSetTheSameAgain_isRefused() {
    FleetOperator bob = FleetOperator.of(engine.connect("bob"));
    operator.change("1").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    bob.change("2").set(FleetLayer.FLEET, TIMEOUT, "400").write();
    bob.change("3").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    assertThatThrownBy(() -> operator.undo(1, "bob wants it"))
        .hasMessageContaining("changed again since, by version 3 of bob");
    operator.change("4").set(FleetLayer.FLEET, SLEEP, "4000").write();
    operator.change("5").clear(FleetLayer.FLEET, SLEEP).write();
    bob.change("6").set(FleetLayer.FLEET, SLEEP, "5000").write();
    bob.change("7").clear(FleetLayer.FLEET, SLEEP).write();
    assertThatThrownBy(() -> operator.undo(5, "bob has cleared it too"))
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContaining("changed again since, by version 7 of bob")
        .satisfies(
            thrown ->
                assertThat(((FleetRefusedException) thrown).reason()).isEqualTo(Reason.CONFLICT));
    assertThat(operator.undo(7, "bob's last").version()).isEqualTo(8);
  }

  @Test
  void console_whereOneIsSaid_isReportedUntilItIsNoLonger() {
    Instance instance = new Instance("i-1", null);
    await().untilAsserted(() -> assertThat(report("i-1").console()).isNull());
    URI address = URI.create("http://10.2.3.4:7980/tenrec/");
    instance.member.console(address);
    await().untilAsserted(() -> assertThat(report("i-1").console()).isEqualTo(address.toString()));
    for (String bad :
        List.of(
            "https://10.2.3.4:7980/",
            "http://10.2.3.4/",
            "http://10.2.3.4:7980",
            "http://me@10.2.3.4:7980/",
            "http://10.2.3.4:7980/?token=s3cret",
            "http://10.2.3.4:7980/#top",
            "mailto:me",
            "/tenrec/")) {
      assertThatThrownBy(() -> instance.member.console(URI.create(bad)))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("console: expected an address as http://")
          .hasMessageNotContaining("s3cret");
    }
    instance.member.console(null);
    await().untilAsserted(() -> assertThat(report("i-1").console()).isNull());
  }

  /**
   * A session that has something done before each call: it gets the method's name, and what it is
   * given.
   */
  private static FleetStore preceded(FleetStore store, BiConsumer<String, Object[]> before) {
    return (FleetStore)
        Proxy.newProxyInstance(
            FleetStore.class.getClassLoader(),
            new Class<?>[] {FleetStore.class},
            (proxy, method, arguments) -> {
              before.accept(method.getName(), arguments);
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  /** A session that keeps the names it was asked for. */
  private static FleetStore noting(FleetStore store, List<Object> asked) {
    return preceded(
        store,
        (method, arguments) -> {
          if (method.equals("read")) {
            asked.add(arguments[0]);
          }
        });
  }

  @Test
  void undo_ofWhatIsStillSet_readsNoLaterChange() {
    operator.change("1").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    for (int i = 0; i < 60; i++) {
      operator.change("others").set(FleetLayer.FLEET, SLEEP, String.valueOf(1_000 + i)).write();
    }
    List<Object> asked = new ArrayList<>();
    FleetOperator noted = FleetOperator.of(noting(engine.connect("alice"), asked));
    assertThat(noted.undo(1, "was wrong").version()).isEqualTo(62);
    assertThat(asked)
        .filteredOn(name -> name.toString().startsWith("history/"))
        .as("what is undone, and what was written")
        .hasSize(2);
    noted.change("63").clear(FleetLayer.FLEET, SLEEP).write();
    operator.change("64").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    assertThat(noted.undo(63, "too early").version()).isEqualTo(65);
    assertThat(operator.state().of(FleetLayer.FLEET).settings().get(SLEEP).value())
        .isEqualTo("1059");
  }

  @Test
  void operator_expectingAVersion_changesNothingIfSomebodyWasFirst() {
    operator
        .change("try")
        .set(FleetLayer.CANARY, TIMEOUT, "200")
        .canary(List.of("i-1"), 0, Duration.ofMinutes(10))
        .write();
    FleetOperator late = operator.expecting(0);
    List<ThrowingCallable> all =
        List.of(
            () -> late.promote("x"),
            () -> late.rollBack("x"),
            () -> late.undo(1, "x"),
            () -> late.freeze("x"),
            () -> late.thaw("x"),
            () -> late.change("x").set(FleetLayer.FLEET, SLEEP, "4000").write());
    all.forEach(
        each ->
            assertThatThrownBy(each)
                .isInstanceOf(FleetRefusedException.class)
                .hasMessageContaining("expected version 0, but there is version 1 by alice"));
    FleetOperator current = late.withId("p-1").expecting(1).prefix("tenrec").allowAnonymous();
    assertThat(current.promote("fine").version()).isEqualTo(2);
    assertThat(current.promote("sent again").version()).isEqualTo(2);
    assertThat(operator.history(1).get(0).id()).isEqualTo("p-1");
  }

  /** A store whose every commit is preceded by something that another process does. */
  private static FleetStore before(FleetStore store, Runnable commit) {
    return (FleetStore)
        Proxy.newProxyInstance(
            FleetStore.class.getClassLoader(),
            new Class<?>[] {FleetStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit")) {
                commit.run();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  private static FleetDraft shorter(FleetOperator by) {
    return by.withId("c-1").change("twice").set(FleetLayer.FLEET, TIMEOUT, "300");
  }

  @Test
  void write_withAnIdThatIsWrittenMeanwhile_isWrittenOnce() {
    AtomicBoolean came = new AtomicBoolean();
    FleetOperator twin =
        FleetOperator.of(
            before(
                engine.connect("alice"),
                () -> {
                  if (came.compareAndSet(false, true)) {
                    shorter(operator).write();
                  }
                }));
    assertThat(shorter(twin).write().version()).isEqualTo(1);
    assertThat(operator.history(10)).hasSize(1);
  }

  @Test
  void write_expectingAVersion_withAnIdThatIsWrittenMeanwhile_isWritten() {
    FleetOperator twin =
        FleetOperator.of(
            before(engine.connect("alice"), () -> shorter(operator).expecting(0).write()));
    assertThat(shorter(twin).expecting(0).write().version()).isEqualTo(1);
    assertThat(operator.history(10)).hasSize(1);
  }

  @Test
  void write_whoseAnswerWasLost_andThatIsThenOvertaken_isFound() {
    AtomicInteger commits = new AtomicInteger();
    FleetStore store = engine.connect("alice");
    FleetStore losing =
        (FleetStore)
            Proxy.newProxyInstance(
                FleetStore.class.getClassLoader(),
                new Class<?>[] {FleetStore.class},
                (proxy, method, arguments) -> {
                  try {
                    Object answer = method.invoke(store, arguments);
                    if (method.getName().equals("commit") && commits.getAndIncrement() == 0) {
                      operator.change("other").set(FleetLayer.FLEET, SLEEP, "4000").write();
                      throw new StoreUnavailableException("lost its answer");
                    }
                    return answer;
                  } catch (InvocationTargetException thrown) {
                    throw thrown.getCause();
                  }
                });
    FleetDraft draft =
        FleetOperator.of(losing).change("sure").set(FleetLayer.FLEET, TIMEOUT, "300").expecting(0);
    assertThat(draft.write().version()).isEqualTo(1);
    assertThat(commits).hasValue(1);
  }

  @Test
  void promotion_sentTwiceAtOnce_isFoundByTheOneThatComesTooLate() {
    operator
        .change("try")
        .set(FleetLayer.CANARY, TIMEOUT, "200")
        .canary(List.of("i-1"), 0, Duration.ofMinutes(10))
        .write();
    AtomicBoolean came = new AtomicBoolean();
    FleetOperator twin =
        FleetOperator.of(
            before(
                engine.connect("alice"),
                () -> {
                  if (came.compareAndSet(false, true)) {
                    operator.withId("p-1").promote("fine");
                  }
                }));
    assertThat(twin.withId("p-1").promote("fine").version()).isEqualTo(2);
  }

  @Test
  void write_withAnIdOfAnotherAuthorsOrAnotherKind_isRefused() {
    shorter(operator).write();
    FleetOperator bob = FleetOperator.of(engine.connect("bob"));
    List<ThrowingCallable> others =
        List.of(() -> shorter(bob).write(), () -> operator.withId("c-1").freeze("holidays"));
    others.forEach(
        each ->
            assertThatThrownBy(each)
                .isInstanceOf(FleetRefusedException.class)
                .hasMessageContainingAll("c-1", "version 1, a set by alice")
                .satisfies(
                    thrown ->
                        assertThat(((FleetRefusedException) thrown).reason())
                            .isEqualTo(Reason.CONFLICT)));
    assertThat(operator.history(10)).hasSize(1);
  }

  @Test
  void freeze_always_refusesAllButThaw() {
    operator.freeze("Black Friday");
    assertThatThrownBy(() -> operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write())
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContaining("Black Friday");
    operator.thaw("over");
    assertThat(operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write().version())
        .isEqualTo(3);
  }

  @Test
  void history_ofLessThanNone_isRefusedInWords() {
    assertThatThrownBy(() -> operator.history(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("most: -1, expected 0 or more");
  }

  @Test
  void history_always_keepsTheLastThousand_andEachIsKnownByItsIdAsLong() {
    assertThat(shorter(operator).write().version()).isEqualTo(1);
    for (int i = 0; i < 999; i++) {
      operator.change("n").set(FleetLayer.FLEET, TIMEOUT, "" + (301 + i)).unchecked().write();
    }
    List<Object> asked = new ArrayList<>();
    FleetOperator noted = FleetOperator.of(noting(engine.connect("alice"), asked));
    assertThat(shorter(noted).write().version()).as("the oldest that is kept").isEqualTo(1);
    assertThat(asked).as("found without looking through the others").hasSizeLessThanOrEqualTo(3);
    for (int i = 0; i < 10; i++) {
      operator.change("n").set(FleetLayer.FLEET, TIMEOUT, "" + (301 + i)).unchecked().write();
    }
    assertThat(operator.history(2_000)).hasSize(1_000);
    assertThat(operator.history(1).get(0).version()).isEqualTo(1_010);
    assertThat(engine.connect("alice").names("ids")).as("no more than are kept").hasSize(1_000);
    assertThat(shorter(operator).write().version()).as("not known any more").isEqualTo(1_011);
  }

  @Test
  void instance_startedWhileTheStoreIsAway_hasItsLastGoodSettings_andCatchesUp() throws Exception {
    Instance one = new Instance("i-1", null);
    applied(
        operator
            .change("x")
            .set(FleetLayer.FLEET, TIMEOUT, "300")
            .setFor(FleetLayer.FLEET, FORCE, "true", Duration.ofHours(1))
            .write());
    one.leave();
    Path file = directory.resolve("i-1.last-good");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    operator.change("meanwhile").set(FleetLayer.FLEET, TIMEOUT, "400").write();
    engine.goAway();
    Instance again = new Instance("i-1", null);
    assertThat(again.timeout()).isEqualTo("300");
    assertThat(again.value("circuitBreaker.forceOpen")).isEqualTo("true");
    assertThat(again.member.status().fromLastGood()).isTrue();
    assertThat(again.member.status().connected()).isFalse();
    engine.comeBack();
    await().untilAsserted(() -> assertThat(again.timeout()).isEqualTo("400"));
    assertThat(again.member.status().fromLastGood()).isFalse();
  }

  @Test
  void lastGoodFile_thatIsDamaged_isAnAlarm_andNotUsed() throws IOException {
    Instance one = new Instance("i-1", null);
    applied(operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write());
    one.leave();
    Path file = directory.resolve("i-1.last-good");
    Files.writeString(file, Files.readString(file).replace("\"300\"", "\"999\""));
    engine.goAway();
    Instance again = new Instance("i-1", null);
    assertThat(again.timeout()).isEqualTo("1000");
    assertThat(again.member.status().alarms().toString()).contains("damaged");
  }

  @Test
  void store_thatWasWiped_isAnAlarm_andTheSettingsStay() {
    Instance one = new Instance("i-1", null);
    applied(operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write());
    engine.wipe();
    await()
        .untilAsserted(
            () ->
                assertThat(one.member.status().alarms().toString())
                    .contains("no settings any more"));
    operator.change("begun anew").set(FleetLayer.FLEET, TIMEOUT, "900").write();
    operator.change("and again").set(FleetLayer.FLEET, TIMEOUT, "901").write();
    await()
        .untilAsserted(
            () -> assertThat(one.member.status().alarms().toString()).contains("another lineage"));
    assertThat(one.timeout()).isEqualTo("300");
    await().untilAsserted(() -> assertThat(report("i-1").alarm()).contains("another lineage"));
  }

  @Test
  void document_thatIsMissingOrOlder_isAnAlarm_andTheSettingsStay() {
    Instance one = new Instance("i-1", null);
    applied(operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write());
    String first = engine.connect("x").read("config/fleet").text();
    applied(operator.change("y").set(FleetLayer.FLEET, TIMEOUT, "400").write());
    engine.tamper("config/fleet", null);
    long start = System.nanoTime();
    Instance late = new Instance("i-2", null);
    holdsFrom(
        start,
        () -> assertThat(late.member.status().alarms().toString()).contains("fleet is missing"));
    engine.tamper("config/fleet", first);
    operator.change("z").set(FleetLayer.zone("q"), TIMEOUT, "500").unchecked();
    engine.tamper("head", engine.connect("x").read("head").text());
    await()
        .untilAsserted(
            () -> {
              time.advance(Duration.ofSeconds(1));
              assertThat(late.member.status().alarms().toString()).contains("has version 1");
            });
    assertThat(one.timeout()).isEqualTo("400");
    assertThat(late.timeout()).isEqualTo("1000");
    engine.tamper("config/fleet", "{not json");
    await()
        .untilAsserted(
            () -> {
              time.advance(Duration.ofSeconds(1));
              assertThat(late.member.status().alarms().toString()).contains("cannot be read");
            });
  }

  /** As a change does to a document: it goes, is spoilt, or is that of a version before. */
  private static final List<String> MISFITS = List.of("missing", "damaged", "older");

  private void spoil(String document, String how, String older) {
    engine.tamper(
        document,
        switch (how) {
          case "missing" -> null;
          case "damaged" -> "{not json";
          default -> older;
        });
  }

  private static void refused(ThrowingCallable change, String... words) {
    assertThatThrownBy(change)
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageContainingAll(words)
        .satisfies(
            thrown ->
                assertThat(((FleetRefusedException) thrown).reason()).isEqualTo(Reason.INVALID));
  }

  @Test
  void document_thatDoesNotFit_leavesAllOthersToBeReadAndWritten_andIsWrittenAnewOnDemand() {
    Instance one = new Instance("i-1", "a");
    FleetLayer own = FleetLayer.instance("i-1");
    String fits = "instance/i-1";
    long version = 0;
    for (String how : MISFITS) {
      operator.change("first").set(own, TIMEOUT, "300").write();
      String older = engine.connect("x").read("config/" + fits).text();
      Change written =
          operator.change("x").set(own, TIMEOUT, "400").set(own, SLEEP, "9000").write();
      version = written.version();
      applied(written);
      spoil("config/" + fits, how, older);

      assertThat(operator.state().documents()).as(how).doesNotContainKey(own);
      assertThat(operator.state().manifest().layers()).containsEntry(fits, version);
      Change other = operator.change("others").set(FleetLayer.FLEET, FORCE, "false").write();
      assertThat(other.version()).as(how).isEqualTo(version + 1);
      assertThat(operator.undo(other.version(), "back").version()).isEqualTo(version + 2);
      String misfit = "the document " + fits + " is missing, older or damaged";
      String named = "the manifest names its version " + version;
      long spoilt = version;
      refused(() -> operator.undo(spoilt, "no"), misfit, named);
      FleetDraft anew = operator.change("as it was").set(own, TIMEOUT, "500");
      refused(anew::write, misfit, named, "what it sets is lost");
      assertThat(anew.dryRun().refused())
          .singleElement()
          .satisfies(
              each ->
                  assertThat(each.key() + ": " + each.rule())
                      .startsWith(fits)
                      .contains(misfit, named, "what it sets is lost", "take no change"));
      FleetDraft forced = operator.change("by habit").set(own, TIMEOUT, "500").unchecked();
      refused(forced::write, misfit, named, "--anew");
      assertThat(operator.state().manifest().version()).as("nothing more").isEqualTo(version + 2);
      assertThat(one.timeout() + " " + one.value("circuitBreaker.sleepWindowInMilliseconds"))
          .as("it keeps what it has")
          .isEqualTo("400 9000");

      assertThat(anew.anew().dryRun().refused()).isEmpty();
      assertThat(anew.dryRun().effects().get(0)).contains(misfit, named, "what it sets is lost");
      Change mended = anew.write();
      applied(mended);
      assertThat(operator.history(1).get(0).reason())
          .isEqualTo("as it was (written anew, what it had is lost: " + fits + ")");
      assertThat(operator.state().of(own).settings()).containsOnlyKeys(TIMEOUT);
      assertThat(operator.state().of(own).previous()).isEqualTo(version);
      assertThat(one.timeout()).isEqualTo("500");
      await().untilAsserted(() -> assertThat(one.member.status().alarms()).isEmpty());
      version = mended.version();
      assertThat(operator.change("go on").set(own, SLEEP, "9000").write().version())
          .isEqualTo(version + 1);
    }
  }

  @Test
  void canary_whoseDocumentDoesNotFit_isRolledBack_andNotPromoted() {
    for (String how : MISFITS) {
      operator
          .change("before")
          .set(FleetLayer.CANARY, FORCE, "true")
          .canary(List.of("i-1"), 0, Duration.ofMinutes(10))
          .write();
      String older = engine.connect("x").read("config/canary").text();
      operator.change("more").set(FleetLayer.CANARY, FORCE, "false").write();
      spoil("config/canary", how, older);
      refused(() -> operator.promote("fine"), "the document canary is missing", "roll it back");
      FleetDraft further = operator.change("more").set(FleetLayer.CANARY, FORCE, "true");
      refused(further::write, "the document canary is missing", "roll it back");
      operator.rollBack("whatever it was");
      refused(() -> operator.promote("fine"), "there is no canary");
      refused(() -> operator.rollBack("again"), "there is no canary");
    }
  }

  @Test
  void canary_whileAZonesDocumentDoesNotFit_isNotPromoted() {
    operator.change("zone").set(FleetLayer.zone("a"), FORCE, "false").write();
    String good = engine.connect("x").read("config/zone/a").text();
    canaryOfForce("true");
    engine.tamper("config/zone/a", null);
    refused(() -> operator.promote("fine"), "the document zone/a is missing", "mend it first");
    engine.tamper("config/zone/a", good);
    assertThatThrownBy(() -> operator.promote("fine"))
        .satisfies(
            thrown ->
                assertThat(((FleetRefusedException) thrown).reason()).isEqualTo(Reason.MASKED));
  }

  @Test
  void layer_whileTheFleetsDocumentDoesNotFit_isWrittenUncheckedOnly() {
    String window = "tenrec.command.GetQuote.metrics.rollingStats.timeInMilliseconds";
    operator
        .change("1")
        .set(FleetLayer.FLEET, window, "7000")
        .set(FleetLayer.FLEET, "tenrec.command.GetQuote.metrics.rollingStats.numBuckets", "7")
        .write();
    FleetDraft odd = operator.change("2").set(FleetLayer.zone("a"), window, "10000");
    refused(odd::write, "instances would refuse");
    engine.tamper("config/fleet", "{not json");
    refused(odd::write, "the document fleet is missing, older or damaged", "mend it first");
    assertThat(odd.dryRun().refused())
        .extracting(MemberReport.Refused::key)
        .containsExactly("fleet");
    assertThat(odd.unchecked().dryRun().refused()).isEmpty();
    assertThat(odd.write().version()).isEqualTo(2);
  }

  @Test
  void manifest_thatIsOlderThanADocument_isNotWrittenOver() {
    operator.change("1").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    String older = engine.connect("x").read("head").text();
    operator.change("2").set(FleetLayer.FLEET, TIMEOUT, "400").write();
    engine.tamper("head", older);
    for (ThrowingCallable each :
        List.<ThrowingCallable>of(
            operator::state,
            () -> operator.change("3").set(FleetLayer.zone("a"), TIMEOUT, "1").write(),
            () -> operator.change("3").set(FleetLayer.FLEET, SLEEP, "1").unchecked().write())) {
      assertThatThrownBy(each)
          .isInstanceOf(StoreException.class)
          .isNotInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("has version 2, and the manifest names its version 1");
    }
    assertThat(engine.connect("x").read("head").text()).isEqualTo(older);
  }

  @Test
  void operators_atOnceWithADocumentThatDoesNotFit_loseNothing() {
    operator.change("1").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    engine.tamper("config/fleet", null);
    long seen = operator.state().manifest().version();
    operator.change("first").set(FleetLayer.FLEET, SLEEP, "9000").anew().write();
    assertThatThrownBy(
            () ->
                operator
                    .change("too late")
                    .set(FleetLayer.FLEET, TIMEOUT, "500")
                    .anew()
                    .expecting(seen)
                    .write())
        .satisfies(
            thrown ->
                assertThat(((FleetRefusedException) thrown).reason()).isEqualTo(Reason.CONFLICT));
    operator.change("then").set(FleetLayer.FLEET, TIMEOUT, "500").anew().write();
    assertThat(operator.state().of(FleetLayer.FLEET).settings()).containsOnlyKeys(SLEEP, TIMEOUT);
  }

  @Test
  void historysEntry_thatIsDamaged_hidesNoOther_andStopsNoWriter() {
    operator.change("1").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    operator.change("2").set(FleetLayer.FLEET, TIMEOUT, "400").write();
    for (String damaged : List.of("{not json", "{\"version\":1}")) {
      engine.tamper(Names.history(1), damaged);
      List<Change> history = operator.history(10);
      assertThat(history)
          .extracting(each -> each.version() + " " + each.kind())
          .containsExactly("2 set", "1 damaged");
      assertThat(history.get(1).reason()).contains("the history's entry", "cannot be read");
      refused(() -> operator.undo(1, "no"), "the history's entry 1 cannot be read", "hangs on");
    }
    engine.tamper(Names.history(2), "{not json");
    for (int i = 3; i <= 1_002; i++) {
      operator.change("on").set(FleetLayer.FLEET, SLEEP, String.valueOf(i)).unchecked().write();
    }
    assertThat(engine.connect("x").read(Names.history(1))).as("cut off as others").isNull();
    assertThat(engine.connect("x").read(Names.history(2))).as("cut off as others").isNull();
  }

  @Test
  void historysEntry_thatIsDamaged_refusesInWordsWhatHangsOnIt() {
    operator.change("1").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    operator.change("2").clear(FleetLayer.FLEET, TIMEOUT).write();
    FleetDraft named = operator.change("3").set(FleetLayer.FLEET, SLEEP, "9000").id("n");
    named.write();
    engine.tamper(Names.history(3), "{}");
    refused(() -> operator.undo(2, "back"), "the history's entry", "cannot be read", "hangs on");
    refused(named::write, "the history's entry 3 cannot be read", "hangs on");
    assertThat(operator.change("4").set(FleetLayer.FLEET, SLEEP, "8000").write().version())
        .isEqualTo(4);
  }

  @Test
  void report_thatIsNone_isAnAlarmOfItsInstance_andHidesNoOther() {
    Instance one = new Instance("i-1", null);
    Change change = operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    applied(change);
    FleetStore stranger = engine.connect("instance");
    Map<String, String> none =
        Map.of(
            "a-brace",
            "{",
            "b-null",
            "null",
            "c-nobody",
            "{}",
            "d-i-1",
            "{\"id\":\"i-1\",\"version\":999,\"console\":\"http://10.0.0.1:1/\"}",
            "e-refused",
            "{\"id\":\"e-refused\",\"version\":1,\"refused\":[{}]}",
            "f-masked",
            "{\"id\":\"f-masked\",\"version\":1,\"masked\":[{}]}",
            "g-nulls",
            "{\"id\":\"g-nulls\",\"version\":1,\"commands\":[null]}");
    none.forEach((id, text) -> stranger.announce("applied/" + id, text));

    assertThat(operator.members()).hasSize(none.size() + 1);
    assertThat(report("i-1").alarm()).isNull();
    assertThat(report("i-1").version()).isEqualTo(change.version());
    for (String id : none.keySet()) {
      MemberReport standIn = report(id);
      assertThat(standIn.alarm()).as(id).startsWith("the report of " + id);
      assertThat(standIn.version()).as(id).isZero();
      assertThat(standIn.console()).as(id).isNull();
    }
    Rollout rollout = operator.rollout(change.version(), Duration.ZERO);
    assertThat(rollout.applied()).containsExactly("i-1");
    assertThat(rollout.waiting()).containsOnlyKeys(none.keySet());
    assertThat(rollout.waiting().get("d-i-1")).contains("not one of this instance");
    assertThat(operator.change("y").set(FleetLayer.FLEET, TIMEOUT, "400").dryRun().effects())
        .hasSize(1);
    assertThat(one.timeout()).isEqualTo("300");
    stranger.close();
  }

  @Test
  void start_thatFindsNoThread_leavesTheStore() {
    AtomicInteger watches = new AtomicInteger();
    FleetStore store = engine.connect("instance");
    FleetStore counted =
        (FleetStore)
            Proxy.newProxyInstance(
                FleetStore.class.getClassLoader(),
                new Class<?>[] {FleetStore.class},
                (proxy, method, arguments) -> {
                  if (!method.getName().equals("watch")) {
                    return method.invoke(store, arguments);
                  }
                  ((StoreListener) arguments[1]).changed(); // which wakes the member's thread
                  Subscription watch = (Subscription) method.invoke(store, arguments);
                  watches.incrementAndGet();
                  return (Subscription)
                      () -> {
                        watches.decrementAndGet();
                        watch.close();
                      };
                });
    AtomicBoolean started = new AtomicBoolean();
    Waiter waiter =
        new Waiter() {
          @Override
          public void awaitUntil(long deadlineNanos) {
            time.awaitUntil(deadlineNanos);
          }

          @Override
          public void wake(Thread thread) {
            if (started.compareAndSet(false, true)) {
              thread.start(); // so that it cannot be started again
            } else {
              time.wake(thread);
            }
          }
        };
    assertThatThrownBy(() -> FleetMember.builder(counted, "i-1").time(time, waiter).start())
        .isInstanceOf(IllegalThreadStateException.class);
    assertThat(started).isTrue();
    assertThat(watches).hasValue(0);
    store.close();
  }

  @Test
  void member_whoseTroubleCannotBeLogged_followsOn() {
    FleetStore store = engine.connect("instance");
    AtomicInteger failures = new AtomicInteger();
    FleetStore failing =
        preceded(
            store,
            (method, arguments) -> {
              if (method.equals("read")
                  && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new Unprintable();
              }
            });
    FleetMember member = FleetMember.builder(failing, "i-1").time(time, time).start();
    open.push(member);
    failures.set(2);
    operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    await()
        .untilAsserted(
            () -> {
              time.advance(Duration.ofSeconds(1));
              assertThat(member.values("tenrec")).containsEntry(TIMEOUT, "300");
            });
    assertThat(failures).as("it has failed").hasValue(0);
  }

  @Test
  void canary_whoseCommandWasBuiltAnew_isLeftByWhatTheNewOneDoes() {
    Instance one = new Instance("i-1", null);
    assertThat(one.tenrec.remove("GetQuote")).isTrue();
    AtomicBoolean fails = new AtomicBoolean();
    FallibleWork work = new FallibleWork(fails);
    var old = work.of(one.tenrec);
    fails.set(true);
    for (int i = 0; i < 5; i++) {
      assertThat(old.attempt("x").isSuccess()).isFalse();
    }
    fails.set(false);
    for (int i = 0; i < 50; i++) {
      assertThat(old.attempt("x").isSuccess()).isTrue();
    }
    applied(
        operator
            .change("try")
            .set(FleetLayer.CANARY, SLEEP, "200")
            .canary(List.of(), 100, Duration.ofMinutes(10))
            .guard(new CanaryGuard(null, 5, 20, null, null))
            .write());
    assertThat(one.tenrec.remove("GetQuote")).isTrue();
    var anew = work.of(one.tenrec);
    fails.set(true);
    for (int i = 0; i < 5; i++) {
      assertThat(anew.attempt("x").isSuccess()).isFalse();
    }
    await()
        .untilAsserted(
            () -> {
              pass(Duration.ofSeconds(1));
              assertThat(report("i-1").canary()).contains("left 1", "5 errors in 5 calls");
            });
  }

  /** Of the command GetQuote. */
  private record FallibleWork(AtomicBoolean fails) {

    Command<String, String> of(Tenrec tenrec) {
      return tenrec
          .command("GetQuote", this::work)
          .isolation(Isolation.semaphore(5))
          .withoutTimeout()
          .build();
    }

    private String work(String input) {
      if (fails.get()) {
        throw new IllegalStateException("as told");
      }
      return input;
    }
  }

  @Test
  void instanceId_usedTwice_isAnAlarmOfTheSecond_whichFollowsAllTheSame() {
    Instance one = new Instance("i-1", null);
    await().untilAsserted(() -> assertThat(operator.members()).hasSize(1)); // it has the name
    FleetStore store = engine.connect("instance");
    FleetMember second = FleetMember.builder(store, "i-1").time(time, time).start();
    open.push(second);
    await().untilAsserted(() -> assertThat(second.status().alarms().toString()).contains("in use"));
    applied(operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write());
    await().untilAsserted(() -> assertThat(second.values("tenrec")).containsEntry(TIMEOUT, "300"));
    one.leave();
    await()
        .untilAsserted(
            () -> {
              time.advance(Duration.ofSeconds(1));
              assertThat(second.status().alarms()).isEmpty();
            });
  }

  @Test
  void session_thatExpired_isReportedAgain() {
    new Instance("i-1", null);
    applied(operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write());
    engine.expireSessions();
    await().untilAsserted(() -> assertThat(report("i-1").version()).isEqualTo(1));
  }

  @Test
  void rollout_withAnInstanceThatCannotFollow_saysWhich() {
    new Instance("i-1", null);
    FleetStore store = engine.connect("instance");
    FleetMember unready = FleetMember.builder(store, "i-2").time(time, time).start();
    open.push(unready);
    await().untilAsserted(() -> assertThat(operator.members()).hasSize(2));
    Change change = operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    await().untilAsserted(() -> assertThat(report("i-1").version()).isEqualTo(1));
    Rollout rollout = operator.rollout(change.version(), Duration.ofMillis(10));
    assertThat(rollout.applied()).containsExactly("i-1");
    assertThat(rollout.waiting().get("i-2")).contains("no Tenrec");
  }

  @Test
  void command_builtLater_startsFromTheFleetsSettings() {
    Instance one = new Instance("i-1", null);
    String key = "tenrec.command.Later.circuitBreaker.requestVolumeThreshold";
    applied(operator.change("x").set(FleetLayer.FLEET, key, "77").write());
    var unused =
        one.tenrec.command("Later", (String s) -> s).isolation(Isolation.semaphore(1)).build();
    assertThat(one.tenrec.resolvedSettings().effective())
        .anyMatch(each -> each.key().equals("Later") && "77".equals(each.value()));
  }

  @Test
  void store_thatWentBack_isAnAlarmOnTheSecondLook_andTheSettingsStay() {
    Instance one = new Instance("i-1", null);
    operator.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    FleetStore engines = engine.connect("x");
    String head = engines.read("head").text();
    String document = engines.read("config/fleet").text();
    applied(operator.change("y").set(FleetLayer.FLEET, TIMEOUT, "400").write());
    engine.tamper("config/fleet", document);
    engine.tamper("head", head);
    await()
        .untilAsserted(
            () -> {
              time.advance(Duration.ofSeconds(1));
              assertThat(one.member.status().alarms().toString())
                  .contains("has version 1, and version 2 was there");
            });
    assertThat(one.timeout()).isEqualTo("400");
  }

  @Test
  void operators_atOnce_loseNothing() throws Exception {
    int each = 50;
    List<FutureTask<?>> done = new ArrayList<>();
    List<String> authors = List.of("alice", "bob", "carol", "dave");
    for (String author : authors) {
      FleetOperator other = FleetOperator.of(engine.connect(author));
      FutureTask<?> writing =
          new FutureTask<>(
              () -> {
                for (int i = 0; i < each; i++) {
                  other
                      .change("by " + author)
                      .set(FleetLayer.zone(author), TIMEOUT.replace("GetQuote", "Get" + i), "300")
                      .unchecked()
                      .write();
                }
              },
              null);
      done.add(writing);
      new Thread(writing).start();
    }
    for (FutureTask<?> task : done) {
      task.get(); // throws what it threw
    }
    assertThat(operator.state().manifest().version()).isEqualTo((long) authors.size() * each);
    for (String author : authors) {
      assertThat(operator.state().of(FleetLayer.zone(author)).settings()).hasSize(each);
    }
    assertThat(operator.history(authors.size() * each))
        .extracting(Change::version)
        .doesNotHaveDuplicates();
  }

  /** A session before whose writes a rival comes. */
  private static FleetStore outrun(FleetStore store, Runnable rival) {
    return preceded(
        store,
        (method, arguments) -> {
          if (method.equals("commit")) {
            rival.run();
          }
        });
  }

  /** The rival rests once it sees the other stand back, and else for ever comes first. */
  @Test
  void operator_toWhomARivalIsAlwaysFirst_standsBackAndThenWrites() throws Exception {
    Thread writer = Thread.currentThread();
    AtomicInteger written = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    FleetOperator bob = FleetOperator.of(engine.connect("bob"));
    FutureTask<?> rival =
        new FutureTask<>(
            () -> {
              while (!over.get() && writer.getState() != Thread.State.TIMED_WAITING) {
                String timeout = String.valueOf(300 + written.get());
                bob.change("x").set(FleetLayer.FLEET, TIMEOUT, timeout).unchecked().write();
                written.incrementAndGet();
              }
            },
            null);
    FleetOperator outrun =
        FleetOperator.of(
            outrun(
                engine.connect("alice"),
                () -> {
                  int before = written.get();
                  while (written.get() == before && !rival.isDone()) {
                    Thread.yield();
                  }
                }));
    new Thread(rival).start();
    try {
      Change change = outrun.change("y").set(FleetLayer.FLEET, SLEEP, "9000").unchecked().write();
      assertThat(change.version()).isEqualTo(written.get() + 1L);
    } finally {
      over.set(true);
      rival.get(); // throws what it threw
    }
  }

  @Test
  void operator_toWhomOthersAlwaysCameFirst_isToldSo() {
    AtomicInteger written = new AtomicInteger();
    FleetOperator bob = FleetOperator.of(engine.connect("bob"));
    FleetOperator outrun =
        FleetOperator.of(
            outrun(
                engine.connect("alice"),
                () -> {
                  bob.change("x").set(FleetLayer.FLEET, TIMEOUT, "300").unchecked().write();
                  written.incrementAndGet();
                }));
    assertThatThrownBy(
            () -> outrun.change("y").set(FleetLayer.FLEET, SLEEP, "9000").unchecked().write())
        .isInstanceOf(FleetRefusedException.class)
        .hasMessageStartingWith("other changes came first, 20 times; the last time: ")
        .satisfies(
            thrown ->
                assertThat(((FleetRefusedException) thrown).reason()).isEqualTo(Reason.CONFLICT));
    assertThat(written).hasValue(20);
    assertThat(operator.state().of(FleetLayer.FLEET).settings()).containsOnlyKeys(TIMEOUT);
  }

  /** An instance's own clock decides nothing while it runs, and gives no time back after it. */
  @Test
  void override_onInstancesWhoseClocksDiffer_endsTogether() throws Exception {
    AtomicLong ahead = new AtomicLong(storeMillis.get() + 3_600_000);
    FleetStore store = engine.connect("instance");
    Path file = directory.resolve("skewed.last-good");
    FleetMember skewed = member(store, file, ahead);
    open.push(skewed);
    operator.change("x").setFor(FleetLayer.FLEET, FORCE, "true", Duration.ofMinutes(10)).write();
    await().until(() -> "true".equals(skewed.values("tenrec").get(FORCE)));
    pass(Duration.ofMinutes(9));
    long start = System.nanoTime();
    FleetMember late = member(engine.connect("late"), directory.resolve("late"), new AtomicLong(0));
    open.push(late);
    holdsFrom(start, () -> assertThat(late.values("tenrec")).containsEntry(FORCE, "true"));
    engine.goAway();
    skewed.close();
    ahead.addAndGet(-7_200_000); // set back while it was down
    FleetMember again = member(store, file, ahead);
    open.push(again);
    assertThat(again.values("tenrec")).containsEntry(FORCE, "true");
    for (FleetMember each : List.of(late, again)) {
      await()
          .untilAsserted(
              () -> {
                pass(Duration.ofSeconds(30));
                assertThat(each.values("tenrec")).doesNotContainKey(FORCE);
              });
    }
  }

  private FleetMember member(FleetStore store, Path file, AtomicLong clock) {
    return FleetMember.builder(store, file.getFileName().toString())
        .time(time, time)
        .lastGood(file)
        .wallClock(() -> Instant.ofEpochMilli(clock.get()))
        .start();
  }

  @Test
  void property_ofANewerVersion_isRefusedWithTheReason_andTheRestApplies() {
    Instance one = new Instance("i-1", null);
    Change change =
        operator
            .change("for newer ones")
            .set(FleetLayer.FLEET, "tenrec.command.GetQuote.foresight.inMilliseconds", "3")
            .set(FleetLayer.FLEET, TIMEOUT, "300")
            .unchecked()
            .write();
    assertThat(applied(change).remarks().get("i-1"))
        .contains("foresight.inMilliseconds", "no property");
    assertThat(one.timeout()).isEqualTo("300");
  }

  private static List<String> origins(Instance instance) {
    return instance.changes.stream()
        .map(change -> change.property() + "=" + change.newValue() + " " + change.origin())
        .toList();
  }

  @Test
  void change_always_carriesTheVersionThatSetIt_andItsAuthor_whateverCameSince() {
    Instance one = new Instance("i-1", "a");
    FleetOperator bob = FleetOperator.of(engine.connect("bob"));
    String timeout = "execution.isolation.thread.timeoutInMilliseconds";
    applied(operator.change("first").set(FleetLayer.FLEET, TIMEOUT, "300").write());
    applied(bob.change("another key").set(FleetLayer.FLEET, FORCE, "true").write());
    assertThat(origins(one))
        .containsExactly(
            timeout + "=300 version 1 by alice", "circuitBreaker.forceOpen=true version 2 by bob");
    EffectiveSetting inForce =
        one.tenrec.resolvedSettings().effective().stream()
            .filter(each -> each.property().equals(timeout))
            .findFirst()
            .orElseThrow();
    assertThat(inForce.origin()).isEqualTo(new SettingOrigin(1, "alice"));
    assertThat(operator.state().documents().get(FleetLayer.FLEET).settings().get(TIMEOUT).author())
        .isEqualTo("alice");
    one.changes.clear();
    applied(bob.change("no more").clear(FleetLayer.FLEET, TIMEOUT).write());
    applied(operator.undo(3, "back"));
    assertThat(origins(one))
        .as("the deleting one, and the one that took that back")
        .containsExactly(timeout + "=1000 version 3 by bob", timeout + "=300 version 4 by alice");
    one.changes.clear();
    applied(
        bob.change("newer members only")
            .unchecked()
            .set(FleetLayer.FLEET, TIMEOUT, "fast")
            .write());
    assertThat(one.tenrec.resolvedSettings().refusals())
        .extracting(Refusal::origin)
        .containsExactly(new SettingOrigin(5, "bob"));
  }

  @Test
  void change_byAnOverridesEnd_isThatOverrides() {
    Instance one = new Instance("i-1", "a");
    FleetOperator bob = FleetOperator.of(engine.connect("bob"));
    applied(
        bob.change("stop").setFor(FleetLayer.FLEET, FORCE, "true", Duration.ofMinutes(10)).write());
    one.changes.clear();
    pass(Duration.ofMinutes(11));
    await().untilAsserted(() -> assertThat(origins(one)).hasSize(1));
    assertThat(origins(one)).containsExactly("circuitBreaker.forceOpen=false version 1 by bob");
    await()
        .untilAsserted(
            () -> assertThat(one.member.origin(FORCE, null)).as("only while it is news").isNull());
    assertThat(one.member.origin(FORCE, "true")).as("not its value").isNull();
  }
}
