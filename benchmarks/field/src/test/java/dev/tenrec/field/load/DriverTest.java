// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.engine.Target;
import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.field.load.service.DelayService;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against a service in this JVM. */
class DriverTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(240);
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

    Result result = run(engine, new Arrivals.Closed(25), 300, 240, "/delay/0");

    assertThat(result.counts()).isEqualTo(new Counts(300, 0, 0, 0, 300, 300, 0));
    assertThat(service.counts().received()).isEqualTo(300);
    assertThat(result.sinceIntended().micros().getTotalCount())
        .as("those inside the window")
        .isBetween(1L, 300L)
        .isEqualTo(result.presence().answered());
    assertThat(result.mostInFlight()).isBetween(1L, engine == Engines.POOL ? THREADS : 25L);
  }

  @ParameterizedTest
  @EnumSource
  void run_closedByTime_hasTheUsersItNames(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());
    TestClock time = new TestClock();
    HeldTarget target = new HeldTarget();
    Plan plan = Plan.closed(engine, THREADS, 50, Duration.ofMillis(400), Duration.ofSeconds(60));
    FutureTask<Result> running = drive(plan, target, time);
    int most = engine == Engines.POOL ? THREADS : 50;

    answerUntilItIsOver(
        running,
        target,
        () -> {
          if (target.waiting() == most) {
            // no user is between two calls: all are with the target, or wait to be sent
            time.advance(Duration.ofMillis(100));
            target.answerAll();
          }
        });

    Result result = running.get();
    Presence presence = result.presence();
    assertThat(result.counts().balance()).isTrue();
    assertThat(presence.users()).isEqualTo(50);
    assertThat(presence.seconds()).isEqualTo(0.4);
    assertThat(presence.share()).isCloseTo(1, within(1e-9));
    assertThat(result.mostInFlight()).isEqualTo(most);
  }

  /** Runs it on a thread of its own, in that time. */
  private FutureTask<Result> drive(Plan plan, Target target, TestClock time) {
    FutureTask<Result> running =
        new FutureTask<>(() -> new Driver(plan, target, stop, Progress.none(), time.clock()).run());
    new Thread(running, "driving").start();
    return running;
  }

  /**
   * Looks and does what is to be done, until it is over. When its time is over fewer calls come
   * than before, and what was sent by then has to be answered as well: after a while without news.
   */
  private static void answerUntilItIsOver(
      FutureTask<Result> running, HeldTarget target, Runnable look) {
    AtomicLong sent = new AtomicLong();
    AtomicInteger looks = new AtomicInteger();
    await()
        .pollInterval(Duration.ofMillis(2))
        .until(
            () -> {
              look.run();
              if (sent.getAndSet(target.sent()) != sent.get()) {
                looks.set(0);
              } else if (looks.incrementAndGet() % 1_000 == 0) {
                target.answerAll();
              }
              return running.isDone();
            });
  }

  @ParameterizedTest
  @EnumSource
  void run_oneCallEach_isExemptAndMeasuresAll(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());

    Result result = run(engine, new Arrivals.Closed(30), 30, 240, "/delay/1");

    assertThat(result.counts()).isEqualTo(new Counts(30, 0, 0, 0, 30, 30, 0));
    assertThat(result.presence().said()).isEqualTo("exempt: a user makes one call");
    assertThat(result.presence().isOff()).isFalse();
    assertThat(result.sinceIntended().micros().getTotalCount()).isEqualTo(30);
  }

  @ParameterizedTest
  @EnumSource
  void run_open_sendsWhatWasAskedByTheSchedule(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());

    Result result = run(engine, new Arrivals.Open(500), 250, 240, "/delay/1");

    assertThat(result.counts()).isEqualTo(new Counts(250, 0, 0, 0, 250, 250, 0));
    assertThat(service.counts().received()).isEqualTo(250);
    // the last one is due after 498 ms, however quick the answers are
    assertThat(result.lastAnswerNanos()).isGreaterThan(498_000_000);
    assertThat(result.lag().micros().getTotalCount()).isEqualTo(250);
  }

  @Test
  void run_moreThanThePoolCanHave_showsInTheIntendedLatencyOnly() throws Exception {
    // 4 threads, 100 ms each: 40 calls a second; 400 a second are due
    Result result = run(Engines.POOL, new Arrivals.Open(400), 80, 240, "/delay/100");

    assertThat(result.counts().answered()).isEqualTo(80);
    assertThat(service.counts().mostInFlight()).isLessThanOrEqualTo(THREADS);
    // the last of 20 rounds begins 1.9 s late, less the 0.2 s until it was due
    assertThat(result.sinceIntended().maxMillis()).isGreaterThan(1_700);
    // on average 0.95 s less 0.1 s, however slow the machine is
    assertThat(result.sinceIntended().meanMillis() - result.sinceSent().meanMillis())
        .isGreaterThan(800);
    assertThat(result.waited().micros()).isEqualTo(result.sinceIntended().micros());
    // the same, second by second
    assertThat(result.seconds()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(result.seconds().stream().mapToLong(Second::answered).sum()).isEqualTo(80);
    assertThat(result.seconds())
        .allSatisfy(second -> assertThat(second.lost()).isZero())
        .filteredOn(second -> second.answered() > 0)
        .allSatisfy(
            second -> {
              Second.Spread due = Objects.requireNonNull(second.sinceIntended());
              Second.Spread sent = Objects.requireNonNull(second.sinceSent());
              assertThat(due.p50Millis()).isGreaterThanOrEqualTo(sent.p50Millis());
              assertThat(due.maxMillis()).isGreaterThanOrEqualTo(due.p50Millis());
            });
  }

  @Test
  void run_longerThanItsTime_endsAndReportsWhatWasNeverSent() throws Exception {
    TestClock time = new TestClock();
    HeldTarget target = new HeldTarget();
    Plan plan = plan(Engines.POOL, new Arrivals.Closed(50), 10_000, 1);
    FutureTask<Result> running = drive(plan, target, time);
    await().until(() -> target.waiting() == THREADS);
    target.answerAll();
    await().until(() -> target.waiting() == THREADS);

    // over, if it has begun to be measured; if not, a moment later
    answerUntilItIsOver(running, target, () -> time.advance(Duration.ofMillis(2)));

    Result result = running.get();
    assertThat(result.counts().balance()).isTrue();
    assertThat(result.counts().answered()).isGreaterThanOrEqualTo(2 * THREADS);
    assertThat(result.counts().dropped()).isPositive();
    assertThat(result.counts().failed()).isZero();
    assertThat(target.sent()).isEqualTo(result.counts().sent());
  }

  @ParameterizedTest
  @EnumSource
  void run_callsThatDoNotEnd_areBrokenOffAndFail(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());
    // the time is over when all three are with the service, however long that takes
    Thread asker =
        new Thread(
            () -> {
              await().until(() -> service.counts().received() >= 3);
              stop.ask();
            });
    asker.start();

    Result result;
    try (HttpTarget target = target("/delay/60000")) {
      Plan plan =
          new Plan(
              engine,
              THREADS,
              new Arrivals.Closed(3),
              3,
              Duration.ofMinutes(4),
              Duration.ofMillis(300));
      result = new Driver(plan, target, stop, Progress.none()).run();
    }

    asker.join();
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
    CompletableFuture<GuardedTarget> known = new CompletableFuture<>();
    Target patient =
        new Patient(
            target("/delay/20"), () -> known.join().count(EventType.SEMAPHORE_REJECTED) > 0);
    try (GuardedTarget guarded = new GuardedTarget(patient, 2)) {
      known.complete(guarded);
      Result result =
          new Driver(
                  plan(engine, new Arrivals.Closed(30), 200, 240), guarded, stop, Progress.none())
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
    Result result = run(Engines.ASYNC, new Arrivals.Closed(2), 10, 240, "/delay/never");

    assertThat(result.counts()).isEqualTo(new Counts(0, 10, 0, 0, 10, 10, 0));
    assertThat(result.failures()).containsExactly(Map.entry("IOException: status 400", 10L));
  }

  @Test
  void run_failed_knowsHowLongTheyWaitedSinceTheyWereDue() throws Exception {
    Result failed = run(Engines.ASYNC, new Arrivals.Open(400), 10, 240, "/delay/never");

    assertThat(failed.waited().micros().getTotalCount()).isEqualTo(10);
    assertThat(failed.sinceIntended().micros().getTotalCount()).isZero();
    assertThat(failed.seconds().stream().mapToLong(Second::lost).sum()).isEqualTo(10);
    assertThat(failed.seconds()).extracting(Second::sinceIntended).containsOnlyNulls();
  }

  @Test
  void run_openWithARamp_isMeasuredAfterIt() throws Exception {
    Duration ramp = Duration.ofMillis(500);
    Plan plan = plan(Engines.ASYNC, new Arrivals.Open(400, ramp), 200, 240);

    Result result =
        new Driver(plan, new AtOnce(), stop, Progress.none(), new TestClock().clock()).run();

    // 100 of them in the ramp, which takes half a second; then 100 more in a quarter
    assertThat(result.counts()).isEqualTo(new Counts(200, 0, 0, 0, 200, 200, 0));
    assertThat(result.lastAnswerNanos()).isBetween(745_000_000L, 750_000_000L);
    assertThat(result.sinceIntended().micros().getTotalCount()).isEqualTo(100);
    assertThat(result.seconds().stream().mapToLong(Second::answered).sum()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void run_closedWithARamp_isMeasuredWhenAllHaveBegun(Engines engine) throws Exception {
    assumeTrue(engine.isSupported());
    Arrivals arrivals = new Arrivals.Closed(20, Duration.ofMillis(300));

    Result result;
    try (HttpTarget target = target("/delay/20")) {
      Plan plan =
          new Plan(
              engine,
              THREADS,
              arrivals,
              Plan.MOST_REQUESTS,
              Duration.ofMillis(200),
              PatientWaits.patience());
      result = new Driver(plan, target, stop, Progress.none()).run();
    }

    assertThat(result.counts().balance()).isTrue();
    assertThat(result.counts().failed()).isZero();
    // those that began early have gone on meanwhile, and none of that is in the window
    assertThat(result.counts().answered()).isGreaterThan(result.presence().answered());
    assertThat(result.presence().seconds()).isEqualTo(0.2);
    assertThat(result.lastAnswerNanos()).isGreaterThan(485_000_000);
  }

  @Test
  void run_thatBeginsLate_hasItsFirstCallsLate() throws Exception {
    try (HttpTarget target = target("/delay/0")) {
      Plan plan = plan(Engines.ASYNC, new Arrivals.Open(100), 50, 240);
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
      Result result = run(engine, new Arrivals.Closed(2), 10, 240, "/delay/0");
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
    Plan plan = plan(Engines.ASYNC, new Arrivals.Open(400), 300, 240);
    Result unused = new Driver(plan, new AtOnce(), stop, progress, new TestClock().clock()).run();

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("asynchronous I/O, open model, 400 calls/s: ")
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
    return new HttpTarget(HttpAddress.of(service.uri().resolve(path).toString()), TIMEOUT, THREADS);
  }

  /** Answers at once, on the thread that calls. */
  private static final class AtOnce implements Target {

    @Override
    public int call() {
      return 200;
    }

    @Override
    public CompletionStage<Integer> callAsync() {
      return CompletableFuture.completedFuture(200);
    }

    @Override
    public void close() {}
  }

  /** Calls once it is so. */
  private record Patient(Target target, BooleanSupplier soon) implements Target {

    @Override
    public int call() throws Exception {
      await().pollInterval(Duration.ofMillis(2)).until(soon::getAsBoolean);
      return target.call();
    }

    @Override
    public CompletionStage<Integer> callAsync() {
      return CompletableFuture.runAsync(
              () -> await().pollInterval(Duration.ofMillis(2)).until(soon::getAsBoolean),
              task -> new Thread(task, "patient").start())
          .thenCompose(unused -> target.callAsync());
    }

    @Override
    public void close() throws Exception {
      target.close();
    }
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
      return status.whenComplete((code, failed) -> answered.countDown());
    }

    @Override
    public void close() throws Exception {
      target.close();
    }
  }
}
