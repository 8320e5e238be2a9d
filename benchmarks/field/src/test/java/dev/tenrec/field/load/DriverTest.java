// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.engine.Target;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.field.load.http.LoopbackAddress;
import dev.tenrec.field.load.service.DelayService;
import dev.tenrec.metrics.event.EventType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against a service in this JVM. */
class DriverTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int THREADS = 4;

  private final Stop stop = Stop.onDemand();
  private DelayService service;

  @BeforeEach
  void open() throws IOException {
    service = DelayService.open(0);
  }

  @AfterEach
  void close() {
    service.close();
  }

  @ParameterizedTest
  @EnumSource
  void run_closed_sendsWhatWasAskedAndTheServiceAgrees(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());

    Result result = run(engine, new Arrivals.Closed(25), 300, 20, "/delay/0");

    assertThat(result.counts()).isEqualTo(new Counts(300, 0, 0, 0, 300, 300, 0));
    assertThat(service.counts().received()).isEqualTo(300);
    assertThat(result.sinceIntended().micros().getTotalCount()).isEqualTo(300);
    assertThat(result.mostInFlight()).isBetween(1L, engine == Engines.POOL ? THREADS : 25L);
  }

  @ParameterizedTest
  @EnumSource
  void run_open_sendsWhatWasAskedByTheSchedule(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());

    Result result = run(engine, new Arrivals.Open(500), 250, 20, "/delay/1");

    assertThat(result.counts()).isEqualTo(new Counts(250, 0, 0, 0, 250, 250, 0));
    assertThat(service.counts().received()).isEqualTo(250);
    // the last one is due after 498 ms, however quick the answers are
    assertThat(result.lastAnswerNanos()).isGreaterThan(498_000_000);
    assertThat(result.lag().micros().getTotalCount()).isEqualTo(250);
  }

  @Test
  void run_moreThanThePoolCanHave_showsInTheIntendedLatencyOnly() throws Exception {
    // 4 threads, 100 ms each: 40 calls a second; 400 a second are due
    Result result = run(Engines.POOL, new Arrivals.Open(400), 80, 20, "/delay/100");

    assertThat(result.counts().answered()).isEqualTo(80);
    assertThat(service.counts().mostInFlight()).isLessThanOrEqualTo(THREADS);
    // the last of 20 rounds begins 1.9 s late, less the 0.2 s until it was due
    assertThat(result.sinceIntended().maxMillis()).isGreaterThan(1_700);
    assertThat(result.sinceSent().meanMillis()).isLessThan(result.sinceIntended().meanMillis() / 2);
  }

  @Test
  void run_longerThanItsTime_endsAndTellsWhatWasNeverSent() throws Exception {
    Result result = run(Engines.POOL, new Arrivals.Closed(50), 10_000, 1, "/delay/300");

    assertThat(result.counts().balance()).isTrue();
    assertThat(result.counts().answered()).isPositive();
    assertThat(result.counts().dropped()).isPositive();
    assertThat(result.counts().failed()).isZero();
    assertThat(service.counts().received()).isEqualTo(result.counts().sent());
  }

  @ParameterizedTest
  @EnumSource
  void run_callsThatDoNotEnd_areBrokenOffAndFail(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());
    Plan plan =
        new Plan(
            engine,
            THREADS,
            new Arrivals.Closed(3),
            3,
            Duration.ofMillis(500),
            Duration.ofMillis(300));

    Result result;
    try (HttpTarget target = target("/delay/60000")) {
      result = new Driver(plan, target, stop, Progress.none()).run();
    }

    assertThat(result.counts()).isEqualTo(new Counts(0, 3, 0, 0, 3, 3, 0));
    assertThat(result.failures()).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void run_stopped_endsWithTheResultsSoFar(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());
    CountDownLatch answered = new CountDownLatch(20);
    Thread asker =
        new Thread(
            () -> {
              try {
                answered.await();
                stop.ask();
              } catch (InterruptedException unused) {
                Thread.currentThread().interrupt();
              }
            });
    asker.start();

    Result result;
    try (Target target = new Counting(target("/delay/5"), answered)) {
      Plan plan = plan(engine, new Arrivals.Closed(5), 10_000_000, 60);
      result = new Driver(plan, target, stop, Progress.none()).run();
    }

    asker.join();
    assertThat(result.counts().balance()).isTrue();
    assertThat(result.counts().answered()).isGreaterThanOrEqualTo(20).isLessThan(10_000_000);
    assertThat(result.counts().failed()).isZero();
    assertThat(service.counts().received()).isEqualTo(result.counts().sent());
  }

  @ParameterizedTest
  @EnumSource
  void run_guarded_isCountedAlikeByDriverCommandAndService(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());
    try (GuardedTarget guarded = new GuardedTarget(target("/delay/20"), 2)) {
      Result result =
          new Driver(plan(engine, new Arrivals.Closed(30), 200, 20), guarded, stop, Progress.none())
              .run();

      Counts counts = result.counts();
      assertThat(counts.balance()).isTrue();
      assertThat(counts.sent()).isEqualTo(200);
      assertThat(counts.failed()).isZero();
      assertThat(counts.refused())
          .isPositive()
          .isEqualTo(guarded.count(EventType.SEMAPHORE_REJECTED));
      assertThat(counts.answered())
          .isPositive()
          .isEqualTo(guarded.count(EventType.SUCCESS))
          .isEqualTo(service.counts().received());
      assertThat(service.counts().mostInFlight()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void run_answersThatAreErrors_fail() throws Exception {
    Result result = run(Engines.ASYNC, new Arrivals.Closed(2), 10, 20, "/delay/never");

    assertThat(result.counts()).isEqualTo(new Counts(0, 10, 0, 0, 10, 10, 0));
    assertThat(result.failures()).containsExactly(Map.entry("IOException: status 400", 10L));
  }

  @Test
  void run_whateverBecomesOfCalls_knowsHowLongTheyWaitedSinceTheyWereDue() throws Exception {
    // 4 threads, 100 ms each: of 80 calls due within 200 ms the last waits some 2 seconds
    Result answered = run(Engines.POOL, new Arrivals.Open(400), 80, 20, "/delay/100");
    Result failed = run(Engines.ASYNC, new Arrivals.Closed(2), 10, 20, "/delay/never");

    assertThat(answered.waited().micros()).isEqualTo(answered.sinceIntended().micros());
    assertThat(answered.waited().maxMillis()).isGreaterThan(1_000);
    assertThat(failed.waited().micros().getTotalCount()).isEqualTo(10);
    assertThat(failed.sinceIntended().micros().getTotalCount()).isZero();
  }

  @Test
  void run_thatBeginsLate_hasItsFirstCallsLate() throws Exception {
    try (HttpTarget target = target("/delay/0")) {
      Plan plan = plan(Engines.ASYNC, new Arrivals.Open(100), 50, 20);
      Result result =
          new Driver(plan, target, stop, Progress.none()).run(Duration.ofMillis(300).toNanos());

      // 30 of them were due before it began, and went out at once
      assertThat(result.lag().maxMillis()).isGreaterThanOrEqualTo(299);
      assertThat(result.sinceIntended().maxMillis()).isGreaterThanOrEqualTo(299);
      assertThat(result.counts()).isEqualTo(new Counts(50, 0, 0, 0, 50, 50, 0));
      assertThat(result.lastAnswerNanos()).isGreaterThan(490_000_000);
    }
  }

  @Test
  void run_nobodyThere_fails() throws Exception {
    service.close();

    for (Engines engine : new Engines[] {Engines.POOL, Engines.ASYNC}) {
      Result result = run(engine, new Arrivals.Closed(2), 10, 20, "/delay/0");
      assertThat(result.counts()).isEqualTo(new Counts(0, 10, 0, 0, 10, 10, 0));
    }
  }

  @Test
  void run_virtualOnAnOlderJdk_saysWhatIsNeeded() {
    assumeFalse(Engines.VIRTUAL.isSupported());

    assertThatThrownBy(() -> run(Engines.VIRTUAL, new Arrivals.Closed(1), 1, 1, "/delay/0"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the engine virtual needs JDK 21 or later, and this is 1");
  }

  @Test
  void open_onABusyPort_saysWhichAndWhatWasExpected() {
    int port = service.uri().getPort();

    assertThatThrownBy(() -> DelayService.open(port))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "port "
                + port
                + " of 127.0.0.1 is in use; expected a free one, or 0 to have one chosen");
  }

  @Test
  void progress_onATerminal_isOneLine() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Progress progress = Progress.always(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try (HttpTarget target = target("/delay/1")) {
      Result unused =
          new Driver(plan(Engines.POOL, new Arrivals.Open(400), 300, 20), target, stop, progress)
              .run();
    }

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("a bounded pool, open model, 400 calls/s: ")
        .doesNotContain("\n")
        .endsWith("\r");
  }

  private Result run(Engines engine, Arrivals arrivals, long requests, int seconds, String path)
      throws Exception {
    try (HttpTarget target = target(path)) {
      return new Driver(plan(engine, arrivals, requests, seconds), target, stop, Progress.none())
          .run();
    }
  }

  private static Plan plan(Engines engine, Arrivals arrivals, long requests, int seconds) {
    return new Plan(
        engine, THREADS, arrivals, requests, Duration.ofSeconds(seconds), Duration.ofSeconds(10));
  }

  private HttpTarget target(String path) {
    return new HttpTarget(
        LoopbackAddress.of(service.uri().resolve(path).toString()), TIMEOUT, THREADS);
  }

  /** Counts down at each answer. */
  private record Counting(Target target, CountDownLatch answered) implements Target {

    @Override
    public int call() throws Exception {
      int status = target.call();
      answered.countDown();
      return status;
    }

    @Override
    public CompletionStage<Integer> callAsync() {
      CompletableFuture<Integer> status = target.callAsync().toCompletableFuture();
      return status.whenComplete((told, failed) -> answered.countDown());
    }

    @Override
    public void close() throws Exception {
      target.close();
    }
  }
}
