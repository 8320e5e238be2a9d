// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.callback.FailureLog;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Canceller;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A step of a call fails that nothing but a want of memory makes fail. The call ends once all the
 * same, its fallback is asked, and what it held comes back.
 */
class BrokenStepTest {

  private static final OutOfMemoryError NO_MEMORY = new OutOfMemoryError("of the test");
  private static final Fallback<String, String> FALLBACK = (argument, cause) -> "fallback";

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final Endings endings = new Endings();

  @AfterEach
  void close() {
    tenrec.close(Duration.ZERO);
  }

  /** What the receiver received. */
  private static final class Endings implements Receiver<String> {

    private final List<Object> received = new CopyOnWriteArrayList<>();

    @Override
    public void onValue(String value) {
      received.add(value);
    }

    @Override
    public void onError(Throwable error) {
      received.add(error);
    }
  }

  private CommandView command(Isolation isolation) {
    return tenrec
        .command("Subject", (String argument) -> argument)
        .isolation(isolation)
        .build()
        .view();
  }

  private static Pipeline<String, String> pipeline(
      CommandView view, WorkBody<String, String> body) {
    return new Pipeline<>(Inside.runtime(view), body, FALLBACK, Classification.DEFAULT, null);
  }

  private static WorkBody<String, String> failing(Exception thrown) {
    return new WorkBody.Plain<>(
        argument -> {
          throw thrown;
        });
  }

  /** A call that no caller waits for. */
  private class Subject extends Execution<String, String> {

    Subject(Pipeline<String, String> pipeline) {
      super(pipeline, pipeline.runtime.plan(), "argument", endings, false, time.nanoTime());
    }
  }

  @Test
  void fallback_thatCannotBeStarted_endsTheCallWithItsCause() {
    CommandView view = command(Isolation.threadPool().coreSize(1));
    Exception cause = new Exception("of the work");
    Pipeline<String, String> pipeline = pipeline(view, failing(cause));

    pipeline.run(
        new Subject(pipeline) {
          @Override
          boolean beginFallback() {
            throw NO_MEMORY;
          }
        });

    await().untilAsserted(() -> assertThat(endings.received).containsExactly(cause));
    await().untilAsserted(() -> assertThat(view.concurrency()).isZero());
    assertThat(Inside.fallbacksInUse(pipeline.runtime)).isZero();
    assertThat(view.cumulativeCount(EventType.FALLBACK_FAILURE)).isEqualTo(1);
    assertThat(view.cumulativeCount(EventType.EXCEPTION_THROWN)).isEqualTo(1);
  }

  /** Past the gates, and not launched yet: no other thread would give back what it got there. */
  @Test
  void trial_whoseStepAfterTheGatesFails_leavesItsPlaceToTheNext() {
    CommandView view =
        tenrec
            .command("Subject", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .errorThreshold(1, 1)
            .sleepWindow(Duration.ofSeconds(5))
            .build()
            .view();
    Pipeline<String, String> pipeline = pipeline(view, failing(new Exception()));
    CommandRuntime runtime = pipeline.runtime;
    time.advanceMillis(500);
    runtime.recorder.decided(
        runtime.plan(), Permission.UNGUARDED, EventType.FAILURE, 0, time.nanoTime());
    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.OPEN);
    time.advanceMillis(5_000);

    pipeline.run(
        new Subject(pipeline) {
          private boolean failed;

          @Override
          public boolean hasDeadline() { // asked where that is armed
            throw NO_MEMORY;
          }

          @Override
          public Execution<String, String> whole() { // asked before the ending is claimed
            if (!failed) {
              failed = true;
              throw NO_MEMORY;
            }
            return super.whole();
          }
        });

    assertThat(endings.received).containsExactly(NO_MEMORY);
    assertThat(view.concurrency()).isZero();
    assertThat(runtime.breakerGate.admit(runtime.plan(), time.nanoTime()))
        .as("the next trial")
        .isNotInstanceOf(Refused.class);
  }

  /** Another attempt would run without it, and the caller's next call would find no room. */
  @Test
  void deadline_thatCannotBeArmed_endsTheCallForGood_afterItsPermitIsBack() {
    CommandView view = command(Isolation.semaphore(1));
    Pipeline<String, String> pipeline =
        new Pipeline<>(
            Inside.runtime(view),
            new WorkBody.Plain<>(argument -> argument),
            null,
            Classification.DEFAULT,
            null);
    List<Integer> concurrency = new CopyOnWriteArrayList<>();
    Execution<String, String> call =
        new Execution<>(
            pipeline,
            pipeline.runtime.plan(),
            "argument",
            new Receiver<String>() {
              @Override
              public void onValue(String value) {
                endings.onValue(value);
              }

              @Override
              public void onError(Throwable error) {
                concurrency.add(view.concurrency());
                endings.onError(error);
              }
            },
            false,
            time.nanoTime()) {
          @Override
          public boolean hasDeadline() {
            throw NO_MEMORY;
          }
        };

    pipeline.run(call);

    assertThat(endings.received).containsExactly(NO_MEMORY);
    assertThat(concurrency).containsExactly(0);
    assertThat(call.isRetryRefused()).isTrue();
  }

  /** Its thread has nothing else that would give back the permit. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void end_thatBreaksAfterTheWorkHasStopped_givesThePermitBack(boolean staged) {
    CommandView view = command(Isolation.semaphore(1));
    Pipeline<String, String> pipeline =
        pipeline(
            view,
            staged
                ? new WorkBody.Staged<>(CompletableFuture::completedFuture)
                : new WorkBody.Plain<>(argument -> argument));

    pipeline.run(
        new Subject(pipeline) {
          private boolean failed;

          @Override
          public boolean hasRun() { // asked when the work has stopped, and when the end is counted
            if (!failed) {
              failed = true;
              throw NO_MEMORY;
            }
            return super.hasRun();
          }
        });

    assertThat(endings.received).containsExactly(NO_MEMORY);
    assertThat(view.concurrency()).isZero();
    assertThat(view.cumulativeCount(EventType.FAILURE)).isEqualTo(1);
  }

  @Test
  void brokenThread_whoseCallWasAnsweredBefore_isBusyNoMore() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);
    assertThat(subject.launch() && subject.begin(null)).isTrue();
    assertThat(
            pipeline.abandonment.giveUp(subject, EventType.TIMEOUT, new TimeoutException(), false))
        .isTrue();
    assertThat(Inside.abandonedRunning(pipeline.runtime)).isEqualTo(1);

    pipeline.broke(subject, NO_MEMORY);

    assertThat(Inside.abandonedRunning(pipeline.runtime)).isZero();
  }

  /** Closing would keep it for as long as its Tenrec is open. */
  @Test
  void brokenThread_ofWorkThatClosingKnows_isForgottenThere() {
    CommandView view =
        tenrec
            .command("Subject", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .build()
            .view();
    Pipeline<String, String> pipeline =
        pipeline(view, new WorkBody.WithCall<>((argument, call) -> argument));
    Subject subject = new Subject(pipeline);
    pipeline.armDeadline(subject);
    assertThat(Inside.stages(view)).isEqualTo(1);
    assertThat(subject.launch() && subject.begin(null)).isTrue();

    pipeline.broke(subject, NO_MEMORY);

    assertThat(Inside.stages(view)).isZero();
  }

  /** What took the owner for lost is another thread, and cannot give back what this one holds. */
  @Test
  void ownerOfAnEnding_whoseFallbackAnotherThreadHasOpened_givesItsPermitBack() {
    CommandView view = command(Isolation.semaphore(1));
    Pipeline<String, String> pipeline = pipeline(view, failing(new Exception()));
    Subject subject = new Subject(pipeline);
    Exception cause = new TimeoutException("of the owner");
    assertThat(pipeline.enter(subject, time.nanoTime())).isNotNull();
    subject.permitHolder = Thread.currentThread();
    assertThat(pipeline.completion.claimed(subject, EventType.TIMEOUT, null, cause)).isTrue();
    assertThat(subject.openFallback()).isTrue();
    assertThat(view.concurrency()).isEqualTo(1);

    pipeline.conclude(subject, EventType.TIMEOUT, cause);

    assertThat(view.concurrency()).isZero();
    assertThat(endings.received).isEmpty();
  }

  /** Closing has looked by then, and would not find the call. */
  @Test
  void fallback_thatBeginsAfterClosing_doesNotRun() {
    List<String> asked = new CopyOnWriteArrayList<>();
    Pipeline<String, String> pipeline =
        new Pipeline<>(
            Inside.runtime(command(Isolation.semaphore(1))),
            failing(new Exception()),
            (argument, cause) -> asked.add(argument) ? "fallback" : "never",
            Classification.DEFAULT,
            null);
    Subject subject = new Subject(pipeline);
    Exception cause = new TimeoutException("of the owner");
    assertThat(pipeline.completion.claimed(subject, EventType.TIMEOUT, null, cause)).isTrue();
    assertThat(subject.openFallback()).isTrue();
    tenrec.close(Duration.ZERO);

    CompletableFuture<Boolean> run =
        Elsewhere.call(
            () -> {
              pipeline.fallbackStarter.start(subject);
              return true;
            });

    assertThat(run).succeedsWithin(PatientWaits.patience());
    assertThat(subject.isAnswered()).isTrue();
    assertThat(subject.error()).isInstanceOf(CancellationException.class);
    assertThat(asked).isEmpty();
  }

  /** The thread that is at the call ends it. */
  @Test
  void callThatHasBegun_isNotEndedBecauseOfWhatFailedAfterThat() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);
    assertThat(subject.launch()).isTrue();

    pipeline.failToBegin(subject, NO_MEMORY);

    assertThat(subject.isClaimed()).isFalse();
    pipeline.failedToStart(subject, new IllegalStateException("no thread"));
    assertThat(endings.received).containsExactly("fallback");
  }

  @Test
  void publication_thatComesAfterTheFallbackWasOpened_leavesThatItsArgument() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);
    Exception cause = new TimeoutException("of the owner");
    assertThat(pipeline.completion.claimed(subject, EventType.TIMEOUT, null, cause)).isTrue();
    assertThat(subject.openFallback()).isTrue();

    pipeline.completion.answerQuietly(subject); // as by one that saw it unpublished just before

    assertThat(subject.isAtFallback()).isTrue();
    assertThat(subject.argument()).isEqualTo("argument");
    pipeline.fallbackStarter.start(subject);
    assertThat(endings.received).containsExactly("fallback");
  }

  @Test
  void brokenThread_whileAnotherOwnsTheEnding_leavesItToTheFallback() {
    CommandView view = command(Isolation.semaphore(1));
    Exception late = new TimeoutException("of the owner");
    Pipeline<String, String> pipeline = pipeline(view, failing(new Exception()));
    Subject subject = new Subject(pipeline);

    boolean owned = pipeline.completion.claimed(subject, EventType.TIMEOUT, null, late);
    pipeline.broke(subject, NO_MEMORY); // as by the worker
    assertThat(owned).isTrue();
    assertThat(endings.received).isEmpty();
    pipeline.conclude(subject, EventType.TIMEOUT, late);

    assertThat(endings.received).containsExactly("fallback");
    assertThat(view.cumulativeCount(EventType.EXCEPTION_THROWN)).isZero();
  }

  @Test
  void ending_whoseOwnerDoesNotComeBack_goesToTheFallback() {
    CommandView view = command(Isolation.semaphore(1));
    Exception late = new TimeoutException("of the owner");
    Pipeline<String, String> pipeline = pipeline(view, failing(new Exception()));
    Subject subject = new Subject(pipeline);

    boolean owned = pipeline.completion.claimed(subject, EventType.TIMEOUT, null, late);
    pipeline.broke(subject, NO_MEMORY);
    assertThat(owned).isTrue();
    time.advance(Duration.ofMillis(51));

    await().untilAsserted(() -> assertThat(endings.received).containsExactly("fallback"));
  }

  @Test
  void publishForOwner_beforeTheFallbackWasAsked_doesNotPublish() {
    CommandView view = command(Isolation.semaphore(1));
    Pipeline<String, String> pipeline = pipeline(view, failing(new Exception()));
    Subject subject = new Subject(pipeline);

    boolean owned =
        pipeline.completion.claimed(subject, EventType.TIMEOUT, null, new TimeoutException());
    pipeline.completion.publishForOwner(subject);

    assertThat(owned).isTrue();
    assertThat(subject.isAnswered()).isFalse();
    assertThat(subject.awaitsFallback()).isTrue();
  }

  /** Its owner was held up, so that another thread published it in its place. */
  @Test
  void ending_thatWasPublishedByAnotherThread_isDeliveredOnce() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Exception cause = new BadRequestException("of the owner");
    Subject subject = new Subject(pipeline);
    assertThat(pipeline.completion.claimed(subject, EventType.BAD_REQUEST, null, cause)).isTrue();
    pipeline.completion.publishForOwner(subject);
    await().untilAsserted(() -> assertThat(endings.received).containsExactly(cause));

    pipeline.completion.answer(subject); // as by the owner

    assertThat(endings.received).containsExactly(cause);
  }

  /** On the timer's thread, which has no other call to look after this one. */
  @Test
  void deadline_whileTheWorkOwnsTheEnding_isTheWorksAllTheSame() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);
    assertThat(pipeline.completion.claimed(subject, EventType.SUCCESS, "done", null)).isTrue();

    pipeline.abandonment.expired(subject);

    assertThat(subject.isAtFallback()).isFalse();
    assertThat(endings.received).isEmpty();
    time.advance(Duration.ofMillis(51)); // the owner does not come back
    await().untilAsserted(() -> assertThat(endings.received).containsExactly("done"));
    assertThat(subject.has(EventType.TIMEOUT)).isFalse();
  }

  /** An owner that is about to come would find its ending published by another one. */
  @Test
  void deadline_whileTheWorkOwnsTheEnding_leavesTheOwnerItsTime() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);
    assertThat(pipeline.completion.claimed(subject, EventType.SUCCESS, "done", null)).isTrue();

    pipeline.abandonment.expired(subject);
    // none is seen while the timer's thread has it in hand
    await().until(() -> Inside.pendingTimeouts(pipeline.runtime) == 1);
    pipeline.conclude(subject, EventType.SUCCESS, null);

    assertThat(endings.received).containsExactly("done");
    time.advance(Duration.ofMillis(51));
    await().until(() -> Inside.pendingTimeouts(pipeline.runtime) == 0);
    assertThat(endings.received).containsExactly("done");
  }

  @Test
  void closing_whileTheOwnerOfAnEndingIsLost_publishesIt() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);
    Exception cause = new BadRequestException("of the owner");
    assertThat(pipeline.completion.claimed(subject, EventType.BAD_REQUEST, null, cause)).isTrue();
    pipeline.abandonment.leaveToOwner(subject);
    assertThat(endings.received).isEmpty();

    tenrec.close(Duration.ZERO);

    await().untilAsserted(() -> assertThat(endings.received).containsExactly(cause));
  }

  /** There is no timer any more that would look after it. */
  @Test
  void endingOfALostOwner_afterClosing_isPublishedAtOnce() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);
    Exception cause = new BadRequestException("of the owner");
    assertThat(pipeline.completion.claimed(subject, EventType.BAD_REQUEST, null, cause)).isTrue();
    tenrec.close(Duration.ZERO);

    pipeline.abandonment.leaveToOwner(subject);

    assertThat(subject.isAnswered()).isTrue();
    assertThat(subject.error()).isSameAs(cause);
  }

  @Test
  void openFallback_afterTheFallbackHasEnded_isRefused() {
    CommandView view = command(Isolation.semaphore(1));
    Pipeline<String, String> pipeline = pipeline(view, failing(new Exception()));
    Subject subject = new Subject(pipeline);

    boolean owned =
        pipeline.completion.claimed(subject, EventType.TIMEOUT, null, new TimeoutException());
    assertThat(owned && subject.openFallback()).isTrue();
    boolean claimed =
        pipeline.completion.claimedFallback(
            subject, EventType.CANCELLED, null, null, Errors.cancelled("Subject"));

    assertThat(claimed).isTrue();
    assertThat(subject.isUnpublished()).isTrue();
    assertThat(subject.awaitsFallback()).isFalse();
    assertThat(subject.openFallback()).isFalse();
    assertThat(subject.publish()).isTrue();
  }

  /** Its call is given up before the work begins: there is no memory to count that. */
  @Test
  void share_thatCannotBeTold_keepsNoCallFromItsEnding_andIsLogged() throws Exception {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);
    subject.share = new Untold();
    assertThat(subject.launch()).isTrue();
    List<String> lines = lines();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      boolean owned =
          pipeline.completion.claimed(subject, EventType.TIMEOUT, null, new TimeoutException());

      assertThat(owned).isTrue();
      await().until(() -> lines.contains(FailureLog.class.getName()));
    }
    assertThat(subject.has(EventType.TIMEOUT)).isTrue();
  }

  private static final class Untold implements SharedRunPart {

    @Override
    public boolean first() {
      return false;
    }

    @Override
    public void endedItself(EventType event) {
      throw NO_MEMORY;
    }

    @Override
    public void leave(boolean interrupt) {}

    @Override
    public void leaveApart(boolean interrupt) {}

    @Override
    public int attempts() {
      return 1;
    }

    @Override
    public @Nullable List<Throwable> failedAttempts() {
      return null;
    }
  }

  /** Closing may wait for it in vain, and that has to be said. */
  @Test
  void fallback_thatClosingCannotKnow_answersAllTheSame_andThatIsLogged() throws Exception {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject =
        new Subject(pipeline) {
          @Override
          public int hashCode() { // asked where it is listed, and where it is taken out again
            throw NO_MEMORY;
          }
        };
    Exception cause = new TimeoutException("of the owner");
    assertThat(pipeline.completion.claimed(subject, EventType.TIMEOUT, null, cause)).isTrue();
    assertThat(subject.openFallback()).isTrue();
    List<String> lines = lines();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      CompletableFuture<Boolean> run =
          Elsewhere.call(
              () -> {
                pipeline.fallbackStarter.start(subject);
                return true;
              });

      assertThat(run).succeedsWithin(PatientWaits.patience());
      await().until(() -> lines.contains(FailureLog.class.getName()));
    }
    assertThat(endings.received).containsExactly("fallback");
  }

  @Test
  void fallback_whoseEndCannotBeMarked_answersAllTheSame_andThatIsLogged() throws Exception {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject =
        new Subject(pipeline) {
          @Override
          boolean endFallback() {
            throw NO_MEMORY;
          }
        };
    Exception cause = new TimeoutException("of the owner");
    assertThat(pipeline.completion.claimed(subject, EventType.TIMEOUT, null, cause)).isTrue();
    assertThat(subject.openFallback()).isTrue();
    List<String> lines = lines();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      pipeline.fallbackStarter.startInShare(subject);

      await().until(() -> lines.contains(FailureLog.class.getName()));
    }
    assertThat(endings.received).containsExactly("fallback");
  }

  @Test
  void fallback_whosePermitCannotBeGivenBack_answersAllTheSame_andThatIsLogged() throws Exception {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    FallbackStarter<String, String> starter =
        new FallbackStarter<>(pipeline.runtime, FALLBACK, pipeline.completion) {
          private boolean entered;

          @Override
          public @Nullable Object fallback() { // asked at its gate, and when it leaves that
            if (entered) {
              throw NO_MEMORY;
            }
            entered = true;
            return super.fallback();
          }
        };
    Subject subject = new Subject(pipeline);
    Exception cause = new TimeoutException("of the owner");
    assertThat(pipeline.completion.claimed(subject, EventType.TIMEOUT, null, cause)).isTrue();
    assertThat(subject.openFallback()).isTrue();
    List<String> lines = lines();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      starter.start(subject);

      await().until(() -> lines.contains(FailureLog.class.getName()));
    }
    assertThat(endings.received).containsExactly("fallback");
  }

  /** The thread that has ended it publishes that, and delivers it. */
  @Test
  void refusedFallback_ofACallThatAnotherThreadHasEnded_isLeftToThat() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);
    Exception cause = new TimeoutException("of the owner");
    assertThat(pipeline.completion.claimed(subject, EventType.TIMEOUT, null, cause)).isTrue();
    assertThat(subject.openFallback()).isTrue();
    assertThat(
            pipeline.completion.claimedFallback(
                subject, EventType.CANCELLED, null, null, Errors.cancelled("Subject")))
        .isTrue();

    pipeline.fallbackStarter.refuse(subject, null);

    assertThat(subject.isUnpublished()).isTrue();
    assertThat(subject.publish()).isTrue();
  }

  @Test
  void call_forWhichThereIsNoThread_endsWithThat() {
    CommandView view = command(Isolation.semaphore(1));
    Pipeline<String, String> pipeline = pipeline(view, failing(new Exception()));
    Subject subject = new Subject(pipeline);
    assertThat(subject.launch()).isTrue();

    subject.failToStart(NO_MEMORY);

    assertThat(endings.received).containsExactly(NO_MEMORY);
    assertThat(view.cumulativeCount(EventType.FAILURE)).isEqualTo(1);
  }

  @Test
  void callThatHasNotBegun_isEndedByWhatFailedBeforeThat() {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Subject subject = new Subject(pipeline);

    pipeline.failToBegin(subject, NO_MEMORY);

    assertThat(endings.received).containsExactly(NO_MEMORY);
  }

  /** Nothing else would give back its own thread's permit; a pool's thread may be at the work. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void begunCall_whoseWayInBreaks_givesItsPermitBack_unlessAnotherThreadHasIt(boolean pool) {
    CommandView view = command(pool ? Isolation.threadPool().coreSize(1) : Isolation.semaphore(1));
    Pipeline<String, String> pipeline = pipeline(view, failing(new Exception()));
    Subject subject = new Subject(pipeline);
    assertThat(pipeline.enter(subject, time.nanoTime())).isNotNull();
    assertThat(subject.launch() && subject.begin(null)).isTrue();

    pipeline.brokeOnTheWayIn(subject, NO_MEMORY);

    assertThat(endings.received).containsExactly(NO_MEMORY);
    assertThat(view.concurrency()).isEqualTo(pool ? 1 : 0);
    assertThat(Inside.abandonedRunning(pipeline.runtime)).isEqualTo(pool ? 1 : 0);
    if (pool) {
      pipeline.stopped(subject, "late", null); // as by the pool's thread
      assertThat(view.concurrency()).isZero();
    }
  }

  /** Other tests ask for it to find what was left behind. */
  @Test
  void whatClosingKnows_isAllOfIt() {
    CommandView view = command(Isolation.semaphore(1));
    Pipeline<String, String> pipeline = pipeline(view, failing(new Exception()));
    RunningStages stages = pipeline.runtime.engine.stages();
    Subject atFallback = new Subject(pipeline);
    Subject waiting = new Subject(pipeline);

    assertThat(stages.addFallback(atFallback)).isTrue();
    assertThat(Inside.stages(view)).isEqualTo(1);
    assertThat(stages.addWaiting(waiting)).isTrue();
    assertThat(Inside.stages(view)).isEqualTo(2);

    stages.removeFallback(atFallback);
    stages.removeWaiting(waiting);
    assertThat(Inside.stages(view)).isZero();
  }

  private static List<String> lines() {
    SwitchedLogging.requireInstalled();
    return new CopyOnWriteArrayList<>();
  }

  /** The thread that ended the call goes on, but the one who wrote the receiver has to know. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void receiver_thatThrows_isLogged(boolean noStack) throws Exception {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    Receiver<String> throwing =
        new Receiver<>() {
          @Override
          public void onValue(String value) {
            endings.onValue(value);
            if (noStack) {
              throw new StackOverflowError("of the receiver");
            }
            throw new IllegalStateException("of the receiver");
          }

          @Override
          public void onError(Throwable error) {
            endings.onError(error);
          }
        };
    List<String> lines = lines();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      pipeline.run(pipeline.prepare("argument", throwing));
    }

    assertThat(endings.received).containsExactly("fallback");
    assertThat(lines).contains(Completion.class.getName());
  }

  @Test
  void brokenThread_isLogged() throws Exception {
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), failing(new Exception()));
    List<String> lines = lines();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      pipeline.broke(new Subject(pipeline), NO_MEMORY);

      await().until(() -> lines.contains(FailureLog.class.getName()));
    }
  }

  @Test
  void stage_thatCannotBeCancelled_isLogged_andTheFirstErrorReachesTheCaller() throws Exception {
    CompletableFuture<String> stage =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            throw new UnsupportedOperationException("of the stage");
          }
        };
    Pipeline<String, String> pipeline =
        pipeline(command(Isolation.semaphore(1)), new WorkBody.Staged<>(argument -> stage));
    List<String> lines = lines();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      pipeline.run(
          new Subject(pipeline) {
            @Override
            public void onCancel(Canceller canceller) {
              throw NO_MEMORY;
            }
          });
      await().until(() -> lines.contains(StageFollower.class.getName())); // it is logged apart
    }

    assertThat(endings.received).containsExactly(NO_MEMORY);
  }

  /** As where the stack has no room for it: the start has its ending all the same. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void step_thatCannotBeReported_keepsNoListenerFromTheEnding(int step) {
    List<String> steps = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onStart(ListenedCall call) {
            steps.add("start");
          }

          @Override
          public void onError(ListenedCall call, Throwable error) {
            steps.add("error");
          }
        };
    Tenrec listened = Tenrec.builder().time(time, time).listen(listener).build();
    CommandView view =
        listened
            .command("Subject", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .build()
            .view();
    Pipeline<String, String> pipeline =
        new Pipeline<>(
            Inside.runtime(view),
            new WorkBody.Plain<>(argument -> argument),
            null,
            Classification.DEFAULT,
            null);

    pipeline.run(
        new Subject(pipeline) {
          private int reported;

          @Override
          public String commandKey() { // asked for each step
            if (reported++ == step) {
              throw new StackOverflowError("of the test");
            }
            return super.commandKey();
          }
        });

    await().untilAsserted(() -> assertThat(steps).containsExactly("start", "error"));
    assertThat(endings.received).hasSize(1);
    assertThat(view.concurrency()).isZero();
    listened.close(Duration.ZERO);
  }

  /** What fails while an ending is settled, for want of memory. */
  private enum Settling {
    THE_COUNT_OF_THE_CAUSE,
    THE_LOG_OF_THE_REQUEST,
    THE_NEWS_OF_THE_PUBLICATION
  }

  @ParameterizedTest
  @EnumSource(Settling.class)
  void settling_thatFails_keepsNoCallFromItsAnswer_andIsLogged(Settling what) throws Exception {
    CommandView view = command(Isolation.semaphore(1));
    Pipeline<String, String> pipeline = pipeline(view, new WorkBody.Plain<>(argument -> argument));
    List<Settling> failed = new CopyOnWriteArrayList<>();

    Execution<String, String> call =
        new Execution<>(
            pipeline,
            pipeline.runtime.plan(),
            "argument",
            new ListeningReceiver(endings, what, failed),
            false,
            time.nanoTime()) {
          @Override
          public boolean isCause(EventType event) {
            failAt(Settling.THE_COUNT_OF_THE_CAUSE, what, failed);
            return super.isCause(event);
          }

          @Override
          public void writeLog() {
            failAt(Settling.THE_LOG_OF_THE_REQUEST, what, failed);
            super.writeLog();
          }
        };
    List<String> lines = lines();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      pipeline.run(call);

      await().until(() -> lines.contains(FailureLog.class.getName()));
    }

    assertThat(failed).containsExactly(what);
    assertThat(endings.received).containsExactly("argument");
    assertThat(view.concurrency()).isZero();
  }

  private static void failAt(Settling here, Settling what, List<Settling> failed) {
    if (here == what) {
      failed.add(here);
      throw NO_MEMORY;
    }
  }

  private record ListeningReceiver(Receiver<String> receiver, Settling what, List<Settling> failed)
      implements Receiver<String>, PublicationListener<String> {

    @Override
    public void publish(@Nullable String value, @Nullable Throwable error) {
      failAt(Settling.THE_NEWS_OF_THE_PUBLICATION, what, failed);
    }

    @Override
    public void onValue(String value) {
      receiver.onValue(value);
    }

    @Override
    public void onError(Throwable error) {
      receiver.onError(error);
    }
  }

  /** As one may be that is not the JDK's. */
  @Test
  void stage_thatLetsNothingHangOnIt_failsTheCall() {
    CommandView view = command(Isolation.semaphore(1));
    CompletableFuture<String> stage =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<String> whenComplete(
              BiConsumer<? super String, ? super Throwable> action) {
            throw new UnsupportedOperationException("of the stage");
          }
        };
    Pipeline<String, String> pipeline = pipeline(view, new WorkBody.Staged<>(argument -> stage));

    pipeline.run(new Subject(pipeline));

    assertThat(endings.received).containsExactly("fallback");
    assertThat(view.cumulativeCount(EventType.FAILURE)).isEqualTo(1);
    assertThat(view.concurrency()).isZero();
  }

  @Test
  void stage_thatCannotBeFollowed_isCancelledAndItsPermitComesBack() {
    CommandView view = command(Isolation.semaphore(1));
    CompletableFuture<String> stage = new CompletableFuture<>();
    Pipeline<String, String> pipeline = pipeline(view, new WorkBody.Staged<>(argument -> stage));

    pipeline.run(
        new Subject(pipeline) {
          @Override
          public void onCancel(Canceller canceller) {
            throw NO_MEMORY;
          }
        });

    assertThat(stage).isCancelled();
    assertThat(endings.received).containsExactly(NO_MEMORY);
    assertThat(view.concurrency()).isZero();
  }
}
