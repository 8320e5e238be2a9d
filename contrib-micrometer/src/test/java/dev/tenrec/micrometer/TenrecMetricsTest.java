// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.micrometer.internal.Catalog;
import dev.tenrec.test.published.FollowingSource;
import dev.tenrec.test.published.Storm;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What any registry gets. */
class TenrecMetricsTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Tenrec tenrec = Storm.patient().build();
  private final TenrecMetrics metrics = TenrecMetrics.of(tenrec);

  @AfterEach
  void close() {
    metrics.close();
    tenrec.close();
  }

  private Command<Integer, Integer> command(String key) {
    return tenrec
        .command(key, (Integer i) -> i)
        .isolation(Isolation.semaphore(3))
        .errorThreshold(50, 2)
        .build();
  }

  private double value(String name, String... tags) {
    return registry.get(name).tags(tags).meter().measure().iterator().next().getValue();
  }

  @Test
  void source_thatFollowsAStore_isSeenToBeCutOff() {
    FollowingSource source = new FollowingSource();
    SimpleMeterRegistry other = new SimpleMeterRegistry();
    try (Tenrec steered = Tenrec.builder().remoteSource(source).build();
        TenrecMetrics bound = TenrecMetrics.of(steered)) {
      bound.bindTo(other);
      assertThat(other.get("tenrec.settings.connected").gauge().value()).isEqualTo(1);
      assertThat(other.get("tenrec.settings.version").gauge().value()).isEqualTo(17);
      assertThat(other.get("tenrec.settings.alarms").gauge().value()).isZero();
      source.setAway(true);
      assertThat(other.get("tenrec.settings.connected").gauge().value()).isZero();
      assertThat(other.get("tenrec.settings.version").gauge().value()).isEqualTo(17);
      assertThat(other.get("tenrec.settings.alarms").gauge().value()).isEqualTo(1);
    }
    metrics.bindTo(registry);
    assertThat(registry.find("tenrec.settings.connected").meter()).as("no store").isNull();
  }

  @Test
  void everyEvent_afterAllKindsOfEndings_isCountedAsTheViewsDo() throws Exception {
    metrics.bindTo(registry);
    Storm.over(tenrec);

    Set<EventType> seen = new HashSet<>();
    for (CommandDetails command : tenrec.commands()) {
      for (EventType event : EventType.values()) {
        long count = command.cumulativeCount(event);
        if (count > 0) {
          seen.add(event);
        }
        assertThat(
                value(
                    "tenrec.command.events",
                    "command",
                    command.key(),
                    "event",
                    event.name().toLowerCase(Locale.ROOT)))
            .as(command.key() + " " + event)
            .isEqualTo(count);
      }
      FunctionTimer caller =
          registry.get("tenrec.command.caller").tags("command", command.key()).functionTimer();
      assertThat(caller.count()).isEqualTo(command.totals().caller().count());
      assertThat(caller.totalTime(TimeUnit.NANOSECONDS))
          .isCloseTo(command.totals().caller().sumNanos(), within(1.0));
    }
    assertThat(seen)
        .contains(
            EventType.SUCCESS,
            EventType.FAILURE,
            EventType.TIMEOUT,
            EventType.BAD_REQUEST,
            EventType.SHORT_CIRCUITED,
            EventType.THREAD_POOL_REJECTED,
            EventType.SEMAPHORE_REJECTED,
            EventType.RATE_LIMITED,
            EventType.FALLBACK_SUCCESS,
            EventType.COLLAPSED);
    assertThat(value("tenrec.collapser.members", "collapser", Storm.BATCHED)).isEqualTo(2);
    assertThat(value("tenrec.pool.rejected", "pool", "Threads"))
        .isEqualTo(tenrec.pools().get(0).cumulativeRejected())
        .isPositive();
    assertThat(value("tenrec.semaphore.concurrency.limit", "semaphore", "Shared")).isEqualTo(1);
    assertThat(value("tenrec.ratelimiter.available", "ratelimiter", "Daily")).isZero();
    assertThat(value("tenrec.ratelimiter.keys", "ratelimiter", "Daily")).isZero();
    assertThat(value("tenrec.retrybudget.spent", "retrybudget", "Warehouse")).isZero();
    assertThat(value("tenrec.retrybudget.available", "retrybudget", "Warehouse")).isEqualTo(10);
  }

  @Test
  void circuit_onceOpenAndClosedByHand_isOneStateAndTwoTransitions() throws Exception {
    metrics.bindTo(registry);
    Storm.over(tenrec);
    assertThat(value("tenrec.circuit.state", "command", Storm.ODD_KEY, "state", "open")).isOne();

    assertThat(tenrec.closeCircuit(Storm.ODD_KEY, "tried it")).isTrue();

    assertThat(value("tenrec.circuit.state", "command", Storm.ODD_KEY, "state", "open")).isZero();
    assertThat(value("tenrec.circuit.state", "command", Storm.ODD_KEY, "state", "closed")).isOne();
    assertThat(transitions("threshold_reached")).isOne();
    assertThat(transitions("closed_by_hand")).isOne();
    assertThat(transitions("trial_failed")).isZero();
  }

  private double transitions(String reason) {
    return value("tenrec.circuit.transitions", "command", Storm.ODD_KEY, "reason", reason);
  }

  @Test
  void tagKeys_ofOneName_areAlwaysTheSame() throws Exception {
    metrics.bindTo(registry);
    Storm.over(tenrec);

    Map<String, Set<Set<String>>> keys = new HashMap<>();
    for (Meter meter : registry.getMeters()) {
      keys.computeIfAbsent(meter.getId().getName(), name -> new HashSet<>())
          .add(meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet()));
    }
    assertThat(keys).isNotEmpty().allSatisfy((name, sets) -> assertThat(sets).hasSize(1));
    assertThat(keys.keySet()).allMatch(name -> name.matches("tenrec(\\.[a-z]+)+"));
  }

  @Test
  void commandsBuiltLater_areBoundWhenTheyCome() {
    metrics.bindTo(registry);
    command("Later").execute(1);

    assertThat(value("tenrec.command.events", "command", "Later", "event", "success")).isOne();
    assertThat(value("tenrec.commands")).isOne();
  }

  @Test
  void thousandCommands_madeAndRemoved_leaveNoMeterBehind() {
    metrics.bindTo(registry);
    Set<Meter> before = new HashSet<>(registry.getMeters());
    for (int i = 0; i < 1_000; i++) {
      command("Passing-" + i).execute(i);
      assertThat(registry.getMeters().size()).isGreaterThan(before.size());
      assertThat(tenrec.remove("Passing-" + i)).isTrue();
    }
    assertThat(registry.getMeters()).containsExactlyInAnyOrderElementsOf(before);
  }

  @Test
  void retryBudget_asLongAsACommandSharesIt_hasMeters() {
    ManualTime time = new ManualTime();
    try (Tenrec timed = Tenrec.builder().time(time, time).build();
        TenrecMetrics bound = TenrecMetrics.of(timed)) {
      bound.bindTo(registry);
      Set<Meter> before = new HashSet<>(registry.getMeters());
      Command<Integer, Integer> failing =
          timed
              .<Integer, Integer>command(
                  "Failing",
                  (Integer i) -> {
                    throw new IllegalStateException("down");
                  })
              .isolation(Isolation.semaphore(1))
              .withoutCircuitBreaker()
              .retry(
                  Retry.attempts(4)
                      .backoff(Duration.ZERO, Duration.ZERO)
                      .budget(0, 1)
                      .sharedBudget("Warehouse"))
              .build();
      assertThat(failing.attempt(1).isSuccess()).isFalse();

      assertThat(value("tenrec.retrybudget.spent", "retrybudget", "Warehouse")).isEqualTo(3);
      assertThat(value("tenrec.retrybudget.available", "retrybudget", "Warehouse")).isEqualTo(7);
      time.advance(Duration.ofSeconds(11));
      assertThat(value("tenrec.retrybudget.spent", "retrybudget", "Warehouse")).isZero();

      assertThat(timed.remove("Failing")).isTrue();
      assertThat(registry.getMeters()).containsExactlyInAnyOrderElementsOf(before);
    }
  }

  @Test
  void commandOfTheSameKey_builtAnew_countsAnew() {
    metrics.bindTo(registry);
    command("Again").execute(1);
    tenrec.remove("Again");
    command("Again");

    assertThat(value("tenrec.command.events", "command", "Again", "event", "success")).isZero();
  }

  @Test
  void close_withCommandsThere_leavesNoMeterAndFollowsNothing() {
    metrics.bindTo(registry);
    command("Before");
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();

    command("After");
    assertThat(registry.getMeters()).isEmpty();

    metrics.bindTo(registry);
    assertThat(value("tenrec.commands")).isEqualTo(2);
  }

  @Test
  void bindTo_theSameRegistryTwice_isOnce() {
    metrics.bindTo(registry);
    List<Meter> once = registry.getMeters();
    metrics.bindTo(registry);
    assertThat(registry.getMeters()).containsExactlyInAnyOrderElementsOf(once);
  }

  @Test
  void bindTo_whereAMeterOfThatNameIsOfAnotherKind_leavesNothingAndMayBeTriedAgain() {
    Meter taken = registry.counter("tenrec.threads");

    assertThatThrownBy(() -> metrics.bindTo(registry)).isInstanceOf(IllegalArgumentException.class);
    assertThat(registry.getMeters()).containsExactly(taken);
    metrics.close();
    assertThat(registry.getMeters()).containsExactly(taken);

    registry.remove(taken);
    metrics.bindTo(registry);
    assertThat(value("tenrec.threads")).isEqualTo(tenrec.liveThreads());
  }

  /** Without memory to follow what there is, as {@link Tenrec#follow} says by its error. */
  @Test
  void bindTo_thatCannotFollow_leavesNothingAndMayBeTriedAgain() {
    OutOfMemoryError noMemory = new OutOfMemoryError("of the test");
    NoMemoryToFollow follow = new NoMemoryToFollow(tenrec, noMemory);
    command("There").execute(1);
    try (TenrecMetrics late = TenrecMetrics.builder(tenrec).follow(follow).build()) {
      assertThatThrownBy(() -> late.bindTo(registry)).isSameAs(noMemory);
      assertThat(registry.getMeters()).isEmpty();

      follow.end();
      late.bindTo(registry);
      assertThat(value("tenrec.command.events", "command", "There", "event", "success")).isOne();
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void bindTo_whereAMeterOfACommandIsOfAnotherKind_leavesThatCommandOut() {
    command("There");
    command("Other");
    Meter taken =
        DistributionSummary.builder("tenrec.command.concurrency")
            .tags("command", "There", "group", "There")
            .register(registry);

    metrics.bindTo(registry);

    assertThat(registry.getMeters())
        .filteredOn(meter -> "There".equals(meter.getId().getTag("command")))
        .containsExactly(taken);
    assertThat(value("tenrec.command.concurrency.limit", "command", "Other")).isEqualTo(3);
  }

  @Test
  void bindTo_aCompositeOfWhichOneRefuses_leavesThoseBoundThatWereBoundBefore() {
    SimpleMeterRegistry refusing = new SimpleMeterRegistry();
    Meter taken = refusing.counter("tenrec.threads");
    CompositeMeterRegistry composite =
        new CompositeMeterRegistry(registry.config().clock(), List.of(registry));
    metrics.bindTo(composite);
    composite.add(refusing);

    assertThatThrownBy(() -> metrics.bindTo(composite))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(value("tenrec.threads")).isEqualTo(tenrec.liveThreads());
    assertThat(refusing.getMeters()).containsExactly(taken);
  }

  @Test
  void commandBuiltLater_whereAMeterOfThatNameIsOfAnotherKind_hasNoneOfItsMeters() {
    metrics.bindTo(registry);
    for (String name : List.of("tenrec.command.concurrency", Catalog.EXECUTION, Catalog.CALLER)) {
      Meter taken =
          DistributionSummary.builder(name)
              .tags("command", "Later", "group", "Later")
              .register(registry);

      command("Later");

      assertThat(registry.getMeters())
          .as(name)
          .filteredOn(meter -> "Later".equals(meter.getId().getTag("command")))
          .containsExactly(taken);
      assertThat(tenrec.remove("Later")).isTrue();
      registry.remove(taken);
    }
    command("Later");
    assertThat(value("tenrec.command.concurrency.limit", "command", "Later")).isEqualTo(3);
  }

  @Test
  void bindTo_aComposite_bindsWhatIsInIt() {
    metrics.bindTo(new CompositeMeterRegistry(registry.config().clock(), List.of(registry)));
    command("Composed");
    assertThat(value("tenrec.command.concurrency.limit", "command", "Composed")).isEqualTo(3);
  }

  @Test
  void tags_ofTheBuilder_areOnAllMeters() {
    try (TenrecMetrics tagged =
        TenrecMetrics.builder(tenrec).tags(Tags.of("tenrec", "orders")).build()) {
      command("Tagged");
      tagged.bindTo(registry);
      assertThat(registry.getMeters())
          .isNotEmpty()
          .allSatisfy(meter -> assertThat(meter.getId().getTag("tenrec")).isEqualTo("orders"));
    }
  }

  @Test
  void buckets_thatDoNotGrow_areRefused() {
    TenrecMetrics.Builder builder = TenrecMetrics.builder(tenrec);
    assertThatThrownBy(() -> builder.buckets(Duration.ofMillis(2), Duration.ofMillis(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("growing");
    assertThatThrownBy(builder::buckets).isInstanceOf(IllegalArgumentException.class);
  }
}
