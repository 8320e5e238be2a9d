// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Canceller;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
