// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Completion;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.LastingReceiver;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** There is no memory for an ending's outcome, when it is published and when it is delivered. */
class LastingDeliveryTest {

  private static final Work<String, String> ANSWERS = argument -> argument + "!";

  /** Where time is moved before a thread has surely begun the work. */
  private static final Duration NEVER = Duration.ofDays(1);

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger tried = new AtomicInteger();
  private final List<Object> seen = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    release.countDown();
    // time goes on while a thread that tries again may be held up: half a minute of it, at the most
    Thread closer = new Thread(() -> tenrec.close(Duration.ofMinutes(5)));
    closer.start();
    awaitInTime(() -> !closer.isAlive());
  }

  private void awaitInTime(BooleanSupplier condition) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              time.advanceMillis(50);
              return condition.getAsBoolean();
            });
  }

  /** The outcome of a call, for which no memory can be had so many times. */
  private NotifyingReceiver<String, Outcome<String>> failing(int times) {
    return new NotifyingReceiver<>() {
      @Override
      public @Nullable Throwable error(Execution<?, String> ended) {
        return null;
      }

      @Override
      public Outcome<String> value(Execution<?, String> ended) {
        if (tried.incrementAndGet() <= times) {
          throw new OutOfMemoryError("of the test");
        }
        return ended.outcome();
      }
    };
  }

  private Pipeline<String, String> pipeline(Isolation isolation, Work<String, String> work) {
    return pipeline(isolation, Duration.ofSeconds(1), work);
  }

  private Pipeline<String, String> pipeline(
      Isolation isolation, Duration timeout, Work<String, String> work) {
    Command<String, String> command =
        tenrec.command("Subject", work).isolation(isolation).timeout(timeout).build();
    CommandRuntime runtime =
        Objects.requireNonNull(InsideTenrec.registry(tenrec).find(command.key())).runtime();
    return new Pipeline<>(runtime, new WorkBody.Plain<>(work), null, Classification.DEFAULT, null);
  }

  private ExecutionFuture<String, Outcome<String>> begun(
      Pipeline<String, String> pipeline, int failures) {
    ExecutionFuture<String, Outcome<String>> future = new ExecutionFuture<>(failing(failures));
    Execution<String, String> execution = pipeline.prepare("a", future.receiver());
    future.follow(execution);
    pipeline.run(execution);
    return future;
  }

  @ParameterizedTest
  @CsvSource({
    "true, 0",
    "true, 1",
    "true, 2",
    "true, 3",
    "true, 20",
    "false, 0",
    "false, 2",
    "false, 20"
  })
  void future_withoutMemoryForItsOutcome_isCompletedOnceThereIs(boolean onPool, int failures) {
    Pipeline<String, String> pipeline =
        pipeline(onPool ? Isolation.threadPool() : Isolation.semaphore(1), NEVER, ANSWERS);

    ExecutionFuture<String, Outcome<String>> future = begun(pipeline, failures);
    CompletableFuture<Boolean> hanging =
        future.thenApply(outcome -> seen.add(Objects.requireNonNull(outcome.value())));

    awaitInTime(hanging::isDone);
    assertThat(future.join().value()).isEqualTo("a!");
    assertThat(seen).containsExactly("a!");
    assertThat(tried).hasValue(failures + 1); // what was shown once is not made again
  }

  /** The timer ends the call, and what hangs on it runs in the command's share. */
  @Test
  void future_withoutMemoryAtItsTimeout_isCompletedOnceThereIs() {
    Pipeline<String, String> pipeline =
        pipeline(
            Isolation.threadPool(),
            argument -> {
              release.await();
              return argument;
            });

    ExecutionFuture<String, Outcome<String>> future = begun(pipeline, 5);
    future.thenAccept(outcome -> seen.addAll(outcome.events()));

    awaitInTime(() -> !seen.isEmpty());
    assertThat(seen).contains(EventType.TIMEOUT);
    assertThat(future.isDone()).isTrue();
  }

  /** Nobody else would come: the timer is closed by the time that there is memory. */
  @Test
  void future_thatClosingFindsWithoutMemory_isCompletedByIt() {
    Pipeline<String, String> pipeline = pipeline(Isolation.semaphore(1), ANSWERS);
    ExecutionFuture<String, Outcome<String>> future = begun(pipeline, 4);
    future.thenAccept(outcome -> seen.add(Objects.requireNonNull(outcome.value())));
    assertThat(seen).isEmpty();

    close();

    assertThat(seen).containsExactly("a!");
  }

  /** It is ended already: completing it from outside may not replace what was counted. */
  @Test
  void cancel_beforeThereIsMemoryForTheOutcome_comesTooLate() {
    Pipeline<String, String> pipeline = pipeline(Isolation.semaphore(1), ANSWERS);
    ExecutionFuture<String, Outcome<String>> future = begun(pipeline, 2);

    assertThat(future.cancel(true)).isFalse();

    awaitInTime(future::isDone);
    assertThat(future.join().value()).isEqualTo("a!");
  }

  @Test
  void cancel_ofACallThatRuns_stillCompletesWhatHangsOnIt() {
    Pipeline<String, String> pipeline =
        pipeline(
            Isolation.threadPool(),
            argument -> {
              release.await();
              return argument;
            });
    ExecutionFuture<String, Outcome<String>> future = begun(pipeline, 0);
    future.whenComplete((outcome, error) -> seen.add(error));

    assertThat(future.cancel(false)).isTrue();

    assertThat(seen).singleElement().isInstanceOf(CancellationException.class);
    assertThat(tried).hasValue(0);
  }

  /** What hangs on it runs on the thread that cancels, until the stack there has no more room. */
  @Test
  void cancel_withoutStackForWhatHangsOnTheFuture_goesOnElsewhere() {
    Pipeline<String, String> pipeline =
        pipeline(
            Isolation.threadPool(),
            NEVER,
            argument -> {
              release.await();
              return argument;
            });
    ExecutionFuture<String, Outcome<String>> future = begun(pipeline, 0);
    future.whenComplete((outcome, error) -> seen.add(error));
    future.handle(
        (outcome, error) -> {
          throw new Unspeakable();
        });

    assertThat(future.cancel(false)).isTrue();

    awaitInTime(() -> !seen.isEmpty());
    assertThat(seen).singleElement().isInstanceOf(CancellationException.class);
  }

  @Test
  void delivery_toAFuture_runsAgainUntilItIsDone() {
    Pipeline<String, String> pipeline = pipeline(Isolation.semaphore(1), ANSWERS);
    ExecutionFuture<String, Outcome<String>> future = new ExecutionFuture<>(failing(0));
    LastingReceiver<String> delivery = (LastingReceiver<String>) future.receiver();
    Execution<String, String> execution = pipeline.prepare("a", delivery);
    future.follow(execution);
    assertThat(delivery.runsAgain()).isTrue();

    pipeline.run(execution);

    assertThat(future.join().value()).isEqualTo("a!");
    assertThat(delivery.runsAgain()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 20})
  void observer_withoutMemoryForItsOutcome_isCalledOnceThereIs(int failures) {
    Pipeline<String, String> pipeline = pipeline(Isolation.threadPool(), NEVER, ANSWERS);
    RxReceiver<String, String, Outcome<String>> subscription =
        new RxReceiver<>(pipeline, "a", failing(failures), seeing());

    subscription.start();

    awaitInTime(() -> !seen.isEmpty());
    assertThat(seen).containsExactly("a!");
  }

  @Test
  void observer_thatWasDisposedMeanwhile_isNotCalled() {
    Pipeline<String, String> pipeline = pipeline(Isolation.semaphore(1), ANSWERS);
    RxReceiver<String, String, Outcome<String>> subscription =
        new RxReceiver<>(pipeline, "a", failing(3), seeing());
    subscription.start();
    assertThat(subscription.isDisposed()).isFalse();

    subscription.dispose();
    assertThat(subscription.isDisposed()).isTrue();
    close(); // whatever was to be tried again has been by then

    assertThat(seen).isEmpty();
  }

  /** Its own errors are its own: it must not hear of an ending twice. */
  @Test
  void observer_thatThrows_isNotCalledAgain_butLogged() throws Exception {
    Pipeline<String, String> pipeline = pipeline(Isolation.semaphore(1), ANSWERS);
    RxReceiver<String, String, Outcome<String>> subscription =
        new RxReceiver<>(
            pipeline,
            "a",
            failing(0),
            new Receiver<>() {
              @Override
              public void onValue(Outcome<String> outcome) {
                seen.add(outcome);
                throw new StackOverflowError("of the observer");
              }

              @Override
              public void onError(Throwable error) {
                seen.add(error);
              }
            });

    SwitchedLogging.requireInstalled();
    List<String> lines = new CopyOnWriteArrayList<>();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      subscription.start();
      assertThat(subscription.runsAgain()).isFalse();
      close();
    }

    assertThat(seen).hasSize(1);
    assertThat(lines).contains(Completion.class.getName());
  }

  private Receiver<Outcome<String>> seeing() {
    return new Receiver<>() {
      @Override
      public void onValue(Outcome<String> outcome) {
        seen.add(Objects.requireNonNull(outcome.value()));
      }

      @Override
      public void onError(Throwable error) {
        seen.add(error);
      }
    };
  }
}
