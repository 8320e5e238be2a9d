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
    int most;
    Duration time = Duration.ofSeconds(100);
    @Nullable String pool = "Quotes";
    @Nullable String sharedSemaphore;
    long others;
    int busy;
    Limits limits = new Limits(Duration.ofSeconds(1), 10, 0, 10);
    int fallbacks = 20;
    int volume = 20;
    int threshold = 50;

    Advice advice() {
      return Counsel.on(
          new Observation(
              "Quote",
              pool,
              pool == null ? "execution.isolation.semaphore.maxConcurrentRequests" : null,
              sharedSemaphore,
              time,
              EventCounts.of(type -> events.getOrDefault(type, 0L)),
              execution,
              most,
              others,
              busy,
              limits,
              limits.timeout() == null ? Duration.ofSeconds(1) : limits.timeout(),
              fallbacks,
              threshold,
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

  /** What is known is how long attempts take, and the time-out is that of all of them. */
  @Test
  void timeout_ofCallsThatAreRetried_isWithheld() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofSeconds(2), 24, 24, 30);
    given.events.put(EventType.SUCCESS, 9_700L);
    given.events.put(EventType.FAILURE, 300L);
    given.events.put(EventType.RETRY, 300L);

    Advice advice = given.advice();

    assertThat(advice.proposals()).isEmpty();
    assertThat(advice.withheld())
        .singleElement()
        .satisfies(said -> assertThat(said).startsWith("the time-out: ").contains("300 attempts"));
  }

  /** Without a time-out of the command, only attempts can have been late. */
  @Test
  void timeout_ofAttemptsThatAreLate_isWithheld() {
    Given given = new Given();
    given.limits = new Limits(null, 24, 24, 30);
    given.events.put(EventType.SUCCESS, 9_920L);
    given.events.put(EventType.TIMEOUT, 80L);

    assertThat(given.advice().withheld())
        .singleElement()
        .satisfies(said -> assertThat(said).contains("0.80 %", "did not end in time"));
  }

  /** Where these came from, the work may have taken any time. */
  @Test
  void timeout_beyondDeadlinesThatTravel_isWithheld() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofSeconds(1), 24, 24, 30);
    given.events.put(EventType.SUCCESS, 9_920L);
    given.events.put(EventType.DEADLINE_EXCEEDED, 80L);

    Advice advice = given.advice();

    assertThat(advice.proposals()).isEmpty();
    assertThat(advice.withheld())
        .singleElement()
        .satisfies(said -> assertThat(said).contains("0.80 %", "deadline of the call"));

    given.events.put(EventType.DEADLINE_EXCEEDED, 180L);
    assertThat(given.advice().withheld())
        .anySatisfy(said -> assertThat(said).startsWith("sizes: the 99th percentile"));
  }

  @Test
  void sharedSemaphore_isNotSizedForOneOfItsCommands() {
    Given given = new Given();
    given.pool = null;
    given.sharedSemaphore = "Gateway";
    given.limits = Limits.ofPermits(Duration.ofMillis(265), 4);
    given.events.put(EventType.SEMAPHORE_REJECTED, 5_000L);

    Advice advice = given.advice();

    assertThat(advice.proposals()).isEmpty();
    assertThat(advice.withheld())
        .singleElement()
        .satisfies(said -> assertThat(said).startsWith("sizes: ").contains("semaphore Gateway"));
    assertThat(advice.warnings()).isEmpty(); // others take its permits, so no burst of its own
  }

  @Test
  void poolThatBurstsFill_isNotMadeSmallerThanTheyAre() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofMillis(265), 200, 0, 200);
    given.most = 150; // at random distances, five are in flight and hardly ever twenty

    Advice advice = given.advice();

    Map<String, String> set = advice.properties("t");
    assertThat(
            Integer.parseInt(set.getOrDefault("t.threadpool.Quotes.maximumSize", "200"))
                + Integer.parseInt(set.getOrDefault("t.threadpool.Quotes.maxQueueSize", "0")))
        .isGreaterThanOrEqualTo(150);
    assertThat(advice.warnings())
        .singleElement()
        .satisfies(said -> assertThat(said).contains("up to 150 were in flight"));
  }

  /** Its queue has no bound, and what it may hold and its threads are together beyond an int. */
  @Test
  void poolWithTheLongestQueue_thatBurstsFill_isNotMadeSmallerThanTheyAre() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofMillis(265), 200, Integer.MAX_VALUE, 200);
    given.most = 150;

    Map<String, String> set = given.advice().properties("t");

    assertThat(set)
        .containsKeys("t.threadpool.Quotes.maximumSize", "t.threadpool.Quotes.maxQueueSize");
    assertThat(
            Integer.parseInt(set.get("t.threadpool.Quotes.maximumSize"))
                + Integer.parseInt(set.get("t.threadpool.Quotes.maxQueueSize")))
        .isGreaterThanOrEqualTo(150);
  }

  @Test
  void poolThatRefusesMoreThanChance_isNotFoundFit() {
    Given given = new Given();
    given.limits = new Limits(Duration.ofMillis(265), 24, 24, 30);
    given.events.put(EventType.SUCCESS, 9_000L);
    given.events.put(EventType.THREAD_POOL_REJECTED, 1_000L);
    given.execution = Latencies.exponential(9_000, MEAN);

    Advice advice = given.advice();

    assertThat(advice.proposals()).isNotEmpty();
    assertThat(advice.warnings())
        .singleElement()
        .satisfies(
            said -> assertThat(said).contains("bursts", "10.00 % were refused", "and 0.00 %"));
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

  /** Latencies of which 99 % end within one time, 99.5 % within another, and all within a third. */
  private static LatencyTotals within(
      long count, double p50, double p99, double p995, double most) {
    return Latencies.of(
        count,
        nanos -> {
          double millis = nanos / 1e6;
          return millis < p50
              ? 0
              : millis < p99
                  ? 0.99 * (millis - p50) / (p99 - p50)
                  : millis < p995
                      ? 0.99 + 0.005 * (millis - p99) / (p995 - p99)
                      : Math.min(1, 0.995 + 0.005 * (millis - p995) / (most - p995));
        });
  }

  /** What the write-up of field system 1 arrived at, from its first guess. */
  @Test
  void fieldSystemOne_fromItsFirstGuess_getsItsSettingsByTheRules() {
    Given given = new Given();
    given.events.put(EventType.SUCCESS, 85_420L); // 854.2 a second
    given.execution = within(85_420, 20, 231, 700, 1_006);
    given.limits = new Limits(null, 20, 200, 300);
    given.threshold = 10;
    given.fallbacks = 5;

    Map<String, String> set = given.advice().properties("t");

    // each slot of the recorder is up to 3 % wide, and what is rounded is rounded up
    assertBetween(set, "t.threadpool.Quotes.coreSize", 198, 204);
    assertBetween(set, "t.threadpool.Quotes.maximumSize", 248, 255);
    assertBetween(set, "t.threadpool.Quotes.maxQueueSize", 198, 204);
    assertBetween(
        set, "t.command.Quote.execution.isolation.thread.timeoutInMilliseconds", 700, 722);
    assertThat(set).containsEntry("t.command.Quote.execution.timeout.enabled", "true");
    assertBetween(
        set, "t.command.Quote.fallback.isolation.semaphore.maxConcurrentRequests", 25, 26);
  }

  /** What system 1 measured here by schedule, and what Sizing made of it. */
  @Test
  void fieldSystemOne_asMeasuredHere_getsWhatSizingSays() {
    Given given = new Given();
    given.events.put(EventType.SUCCESS, 60_200L); // 602.0 a second, 5.5 ms in the mean
    given.execution = within(60_200, 0.5, 34.6, 38.8, 101.1);
    given.limits = new Limits(Duration.ofSeconds(1), 2, 200, 30);
    given.threshold = 10;
    given.fallbacks = 1;

    Map<String, String> set = given.advice().properties("t");

    assertBetween(set, "t.threadpool.Quotes.coreSize", 21, 22);
    assertBetween(set, "t.command.Quote.execution.isolation.thread.timeoutInMilliseconds", 39, 41);
    assertBetween(set, "t.command.Quote.fallback.isolation.semaphore.maxConcurrentRequests", 3, 3);
  }

  private static void assertBetween(Map<String, String> set, String property, int low, int high) {
    assertThat(set).as(property).containsKey(property);
    assertThat(Integer.parseInt(set.get(property))).as(property).isBetween(low, high);
  }
}
