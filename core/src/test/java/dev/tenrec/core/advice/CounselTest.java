// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencyTotals;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where the right answer is known. */
class CounselTest {

  private static final Duration MEAN = Duration.ofMillis(50);

  /** 100 calls a second for 100 s, exponential of 50 ms: 5 at work on average, 23 at p99. */
  private static final class Given {
    final Map<EventType, Long> events = new EnumMap<>(Map.of(EventType.SUCCESS, 10_000L));
    LatencyTotals execution = Latencies.exponential(10_000, MEAN);
    Duration time = Duration.ofSeconds(100);
    @Nullable String pool = "Quotes";
    long others;
    int busy;
    Limits limits = new Limits(Duration.ofSeconds(1), 10, 0, 10);
    int fallbacks = 20;
    int volume = 20;

    Advice advice() {
      return Counsel.on(
          new Observation(
              "Quote",
              pool,
              pool == null ? "execution.isolation.semaphore.maxConcurrentRequests" : null,
              time,
              EventCounts.of(type -> events.getOrDefault(type, 0L)),
              execution,
              others,
              busy,
              limits,
              fallbacks,
              50,
              volume,
              Duration.ofSeconds(10)));
    }
  }

  @Test
  void pool_thatFits_isLeftAlone() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofMillis(265), 24, 24, 30);

    Advice advice = given.advice();

    assertThat(advice.proposals()).isEmpty();
    assertThat(advice.withheld()).isEmpty();
    assertThat(advice.toString()).startsWith("Quote: nothing to change\n");
  }

  @Test
  void pool_thatIsTooSmall_getsLittlesLawAndRefusesHardlyAnyCall() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofMillis(265), 4, 0, 4);
    given.events.put(EventType.SUCCESS, 6_000L);
    given.events.put(EventType.THREAD_POOL_REJECTED, 4_000L);
    given.execution = Latencies.exponential(6_000, MEAN);

    Advice advice = given.advice();

    assertThat(advice.present()).isEqualTo(new Risk(0, 0.4));
    // 100 a second x ln(100) x 50 ms = 23.03, and up to 3 % for the slot's width
    assertThat(advice.properties("tenrec"))
        .containsEntry("tenrec.threadpool.Quotes.coreSize", "24")
        .containsEntry("tenrec.threadpool.Quotes.maximumSize", "30")
        .containsEntry("tenrec.threadpool.Quotes.allowMaximumSizeToDivergeFromCoreSize", "true")
        .containsEntry("tenrec.threadpool.Quotes.maxQueueSize", "24");
    assertThat(advice.proposed()).isNotNull();
    // checked by Erlang's formula, which has no queue, and so is the worse case
    assertThat(ReplayTest.erlangB(5, 24)).isLessThan(1e-8);
    assertThat(advice.proposed().refused()).isZero();
  }

  @Test
  void permits_whoseSizeByLittlesLawRefuses_getMore() {
    Given given = new Given();
    given.pool = null;
    given.limits = Limits.ofPermits(Duration.ofSeconds(1), 1);
    given.events.put(EventType.SUCCESS, 1_000L); // 10 a second
    given.execution = Latencies.of(1_000, nanos -> nanos < 100_000_000 ? 0 : 1); // 100 ms each

    Advice advice = given.advice();

    Map<String, String> properties = advice.properties("tenrec");
    int permits =
        Integer.parseInt(
            properties.get(
                "tenrec.command.Quote.execution.isolation.semaphore.maxConcurrentRequests"));
    // one Erlang: Little's law says 2 with the slot's width, 3 with the buffer, and they refuse 6 %
    assertThat(ReplayTest.erlangB(1, 3)).isGreaterThan(0.05);
    assertThat(ReplayTest.erlangB(1, permits)).isLessThan(0.0015);
    assertThat(ReplayTest.erlangB(1, permits - 3)).isGreaterThan(0.001);
    assertThat(advice.toString()).contains("with that few, ");
  }

  @Test
  void pool_thatIsMuchTooLarge_isMadeSmaller() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofMillis(265), 200, 0, 200);

    assertThat(given.advice().properties("t")).containsEntry("t.threadpool.Quotes.coreSize", "24");
  }

  @Test
  void timeout_isTheShareThatMayBeCutOff() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofSeconds(1), 24, 24, 30);

    Advice advice = given.advice();

    // ln(200) x 50 ms = 264.9 ms, and up to 3 % for the slot's width
    String name = "t.command.Quote.execution.isolation.thread.timeoutInMilliseconds";
    assertThat(Integer.parseInt(advice.properties("t").get(name))).isBetween(265, 273);
    assertThat(advice.proposed()).isNotNull();
    assertThat(advice.proposed().timedOut()).isBetween(0.003, 0.007);
  }

  @Test
  void timeout_beyondWhichItCannotSee_isWithheld() {
    Given given = new Given();
    Duration timeout = Duration.ofMillis(200); // 1.8 % are longer
    given.limits = new Limits(timeout, 24, 24, 30);
    given.execution = Latencies.cutOff(given.execution, timeout);
    given.events.put(EventType.SUCCESS, 9_820L);
    given.events.put(EventType.TIMEOUT, 180L);

    Advice advice = given.advice();

    assertThat(advice.proposals()).isEmpty();
    assertThat(advice.withheld())
        .hasSize(2)
        .anySatisfy(said -> assertThat(said).contains("1.80 %", "did not end within 200 ms"))
        .anySatisfy(said -> assertThat(said).startsWith("sizes: the 99th percentile"));
  }

  @Test
  void bursts_areNotSeenInAMean_andTheAdviceSaysFromWhichRateItComes() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofMillis(265), 4, 0, 4);

    assertThat(given.advice().toString()).contains("100.0 calls a second x p99");
  }

  @Test
  void slowTail_makesThreadsNotTheTimeoutLong() {
    Given given = new Given();
    // 99.7 % take 5 ms, 0.3 % take 2 s: p99 and p99.5 are 5 ms, and 0.6 threads hang on the tail
    given.execution =
        Latencies.of(10_000, nanos -> nanos < 5_000_000 ? 0 : nanos < 2_000_000_000L ? 0.997 : 1);
    given.limits = new Limits(Duration.ofMillis(3_000), 1, 0, 1);
    given.events.put(EventType.THREAD_POOL_REJECTED, 5_000L);

    Advice advice = given.advice();

    String name = "t.command.Quote.execution.isolation.thread.timeoutInMilliseconds";
    assertThat(advice.properties("t")).containsEntry(name, "6");
    // what Little's law makes of p99 is one thread, which a call of the tail holds up for 2 s
    assertThat(Integer.parseInt(advice.properties("t").get("t.threadpool.Quotes.coreSize")))
        .isBetween(3, 12);
    assertThat(advice.toString()).contains("with that few, ");
  }

  @Test
  void tooLittle_isNotJudged() {
    Given few = new Given();
    few.execution = Latencies.exponential(999, MEAN);
    Given brief = new Given();
    brief.time = Duration.ofSeconds(9);

    assertThat(few.advice().withheld()).anySatisfy(s -> assertThat(s).contains("999 latencies"));
    assertThat(few.advice().proposals()).isEmpty();
    assertThat(brief.advice().withheld()).anySatisfy(s -> assertThat(s).contains("in 9000 ms"));
    assertThat(brief.advice().proposals()).isEmpty();
  }

  @Test
  void illDependency_isNotJudged() {
    Given failing = new Given();
    failing.events.put(EventType.SUCCESS, 5_000L);
    failing.events.put(EventType.FAILURE, 5_000L);
    Given open = new Given();
    open.events.put(EventType.SHORT_CIRCUITED, 1L);

    assertThat(failing.advice().withheld())
        .singleElement()
        .satisfies(said -> assertThat(said).contains("50.0 % of the calls failed"));
    assertThat(open.advice().withheld())
        .singleElement()
        .satisfies(said -> assertThat(said).contains("the circuit refused 1 calls"));
  }

  @Test
  void sharedPool_isNotSizedForOneOfItsCommands() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofMillis(265), 4, 0, 4);
    given.others = 1_001;

    Advice advice = given.advice();

    assertThat(advice.proposals()).isEmpty();
    assertThat(advice.withheld())
        .singleElement()
        .satisfies(said -> assertThat(said).contains("Quotes ran 1001 calls of other commands"));
  }

  @Test
  void volumeThreshold_thatIsNeverReached_isLowered() {
    Given given = new Given();
    given.events.put(EventType.SUCCESS, 100L); // 1 a second, 10 in a window

    Advice advice = given.advice();

    assertThat(advice.properties("t"))
        .containsEntry("t.command.Quote.circuitBreaker.requestVolumeThreshold", "5");
  }

  @Test
  void volumeThreshold_ofChance_isWarnedOf() {
    Given given = new Given();
    given.volume = 2;

    assertThat(given.advice().warnings())
        .anySatisfy(said -> assertThat(said).contains("after 2 calls opens by chance"));
  }

  @Test
  void fallbacks_getTheToleratedShareOfTheMaximum() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofMillis(265), 24, 24, 30);
    given.fallbacks = 10;
    given.events.put(EventType.FALLBACK_REJECTION, 3L);
    given.busy = 2;

    Advice advice = given.advice();

    assertThat(advice.properties("t"))
        .containsExactly(
            Map.entry("t.command.Quote.fallback.isolation.semaphore.maxConcurrentRequests", "15"));
    assertThat(advice.warnings())
        .hasSize(2)
        .anySatisfy(said -> assertThat(said).startsWith("3 fallbacks found none"))
        .anySatisfy(said -> assertThat(said).startsWith("2 threads work for calls"));
  }
}
