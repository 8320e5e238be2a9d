// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.tenrec.core.StillRunning;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Elsewhere.Closing;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A publisher whose {@code cancel} does not come back holds up neither end nor permit. */
class StreamCancelHangsTest {

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch cancelling = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void goOn() {
    over.countDown();
  }

  private StreamCommandBuilder<Integer, Integer> hanging(Tenrec tenrec, Duration timeout) {
    return hanging(tenrec, timeout, subscriber -> {});
  }

  private StreamCommandBuilder<Integer, Integer> hanging(
      Tenrec tenrec, Duration timeout, Consumer<Subscriber<? super Integer>> whenAsked) {
    return tenrec
        .streamCommand(
            "Hanging",
            (Integer argument) ->
                (Publisher<Integer>)
                    subscriber ->
                        subscriber.onSubscribe(
                            new Subscription() {
                              @Override
                              public void request(long n) {
                                asked.countDown();
                                whenAsked.accept(subscriber);
                              }

                              @Override
                              public void cancel() {
                                cancelling.countDown();
                                Uninterruptibly.await(over);
                              }
                            }))
        .timeout(timeout);
  }

  private static CompletableFuture<Object> end(StreamCommand<Integer, Integer> command) {
    CompletableFuture<Object> end = new CompletableFuture<>();
    Disposable unused =
        command.toFlowable(1).subscribe(item -> {}, end::complete, () -> end.complete("complete"));
    return end;
  }

  @Test
  void timeout_reachesTheSubscriber() throws Exception {
    ManualTime time = new ManualTime();
    try (Tenrec tenrec = Tenrec.builder().time(time, time).build();
        Closing unused = over::countDown) { // first, or closing would wait for it
      StreamCommand<Integer, Integer> command = hanging(tenrec, Duration.ofMillis(50)).build();

      CompletableFuture<Object> end = end(command);
      time.advanceMillis(50);

      assertThat(end.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(CommandTimeoutException.class);
      assertThat(cancelling.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      Scenario.await().until(() -> command.view().snapshot().concurrency() == 0);
    }
  }

  @Test
  void timeout_withAFallback_completes() throws Exception {
    ManualTime time = new ManualTime();
    try (Tenrec tenrec = Tenrec.builder().time(time, time).build();
        Closing unused = over::countDown) {
      StreamCommand<Integer, Integer> command =
          hanging(tenrec, Duration.ofMillis(50))
              .fallback((Integer argument, Throwable cause) -> Flowable.just(42))
              .build();

      CompletableFuture<Object> end = end(command);
      time.advanceMillis(50);
      assertThat(end.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("complete");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // that is the rule which is broken
  void brokenRule_reachesTheSubscriber() throws Exception {
    try (Tenrec tenrec = Tenrec.create()) {
      CompletableFuture<Subscriber<? super Integer>> publisher = new CompletableFuture<>();
      StreamCommand<Integer, Integer> command =
          hanging(tenrec, Duration.ofMinutes(1), publisher::complete).build();
      CompletableFuture<Object> end = end(command);

      Thread publishing =
          Elsewhere.start(
              () ->
                  assertThatNullPointerException().isThrownBy(() -> publisher.join().onNext(null)));

      assertThat(end.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(NullPointerException.class);
      assertThat(cancelling.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(command.view().snapshot().concurrency()).as("its permit is back").isZero();
      over.countDown();
      publishing.join();
    }
  }

  @Test
  void close_reachesTheSubscriber() throws Exception {
    ManualTime time = new ManualTime();
    Tenrec tenrec = Tenrec.builder().time(time, time).build();
    CompletableFuture<Object> end = end(hanging(tenrec, Duration.ofMinutes(1)).build());
    assertThat(asked.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    CompletableFuture<List<StillRunning>> closed = new CompletableFuture<>();
    Thread closing = Elsewhere.start(() -> closed.complete(tenrec.close(Duration.ZERO)));
    // it is not stuck before it is there
    assertThat(cancelling.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    Scenario.await().until(() -> closed.isDone() || time.advanceMillis(1) == null);

    assertThat(closed.join()).as("the canceller's thread").isNotEmpty();
    assertThat(end.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isInstanceOf(Throwable.class);
    over.countDown();
    closing.join();
  }
}
