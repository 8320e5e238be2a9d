// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static dev.tenrec.metrics.event.EventType.BAD_REQUEST;
import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.EMIT;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_EMIT;
import static dev.tenrec.metrics.event.EventType.FALLBACK_FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_MISSING;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Publishers and subscribers that throw where they must not: no ending and no permit is lost. */
class StreamThrowingTest extends StreamFixture {

  /** What a broken publisher throws. */
  private enum Thrown {
    EXCEPTION {
      @Override
      void now() {
        throw new IllegalStateException("cannot be cancelled");
      }
    },
    ERROR {
      @Override
      void now() {
        throw new AssertionError("cannot be cancelled");
      }
    },
    OVERFLOW {
      @Override
      void now() {
        try {
          overflow(1);
        } catch (StackOverflowError overflown) {
          overflown.setStackTrace(new StackTraceElement[0]); // a thousand lines in the log
          throw overflown;
        }
      }

      private int overflow(int depth) {
        return depth == 0 ? 0 : overflow(depth + 1) + depth; // never 0
      }
    };

    abstract void now();
  }

  // Subscriptions that throw when they are cancelled.

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_atATimeOut_losesNothing(Thrown thrown) throws Exception {
    source.atCancel(thrown::now);
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    time.advance(FIRST);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertFailure(CommandTimeoutException.class);
    Scenario.await().untilAsserted(() -> assertThat(source.cancels).hasValue(1));
    assertFree(command);
    assertCounted(command, TIMEOUT, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_atATimeOut_letsTheFallbackGoOn(Thrown thrown) throws Exception {
    source.atCancel(thrown::now);
    StreamCommand<String, String> command =
        ticks()
            .betweenItemsTimeout(BETWEEN)
            .fallback((symbol, cause) -> Flowable.just("f"))
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a");
    time.advance(FIRST);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertResult("a", "f");
    assertFree(command);
    assertCounted(command, EMIT, TIMEOUT, FALLBACK_EMIT, FALLBACK_SUCCESS);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_whenAnItemIsLate_losesNothing(Thrown thrown) {
    source.atCancel(thrown::now);
    StreamCommand<String, String> command =
        tenrec
            .streamCommand("Ticks", (String symbol) -> source)
            .timeout(FIRST)
            .fallback((symbol, cause) -> Flowable.just("f"))
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    time.advance(FIRST);
    source.emit("late");
    subscriber.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertResult("f");
    assertFree(command);
    assertCounted(command, TIMEOUT, FALLBACK_EMIT, FALLBACK_SUCCESS);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_atTheSubscribersCancel_losesNothing(Thrown thrown) {
    source.atCancel(thrown::now);
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a");
    assertThatCode(subscriber::cancel).doesNotThrowAnyException();
    assertFree(command);
    source.emit("b").complete();
    subscriber.assertValues("a").assertNotComplete().assertNoErrors();
    assertCounted(command, EMIT, CANCELLED);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_whenThePublisherMisbehaves_losesNothing(Thrown thrown) {
    source.atCancel(thrown::now);
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test(1);
    source.emit("a", "b");
    subscriber.assertFailure(IllegalStateException.class, "a");
    assertFree(command);
    assertCounted(command, EMIT, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_afterARequestThatThrew_losesNothing(Thrown thrown) {
    Publisher<String> broken =
        subscriber ->
            subscriber.onSubscribe(
                new Subscription() {
                  @Override
                  public void request(long n) {
                    thrown.now();
                  }

                  @Override
                  public void cancel() {
                    thrown.now();
                  }
                });
    StreamCommand<String, String> command =
        tenrec.streamCommand("Ticks", (String symbol) -> broken).timeout(FIRST).build();
    command.toFlowable("x").test().assertError(any -> true);
    assertFree(command);
    if (thrown == Thrown.OVERFLOW) { // no fallback is looked for
      assertCounted(command, FAILURE, EXCEPTION_THROWN);
    } else {
      assertCounted(command, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_whenTheSubscriberMisbehaves_losesNothing(Thrown thrown) {
    source.atCancel(thrown::now);
    StreamCommand<String, String> command = ticks().build();
    RecordingSubscriber subscriber = new RecordingSubscriber();
    command.toFlowable("x").subscribe(subscriber);
    subscriber.subscription.request(0);
    assertThat(subscriber.signals).containsExactly("IllegalArgumentException");
    assertFree(command);
    assertCounted(command, BAD_REQUEST, EXCEPTION_THROWN);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_atClose_losesNothing(Thrown thrown) throws Exception {
    source.atCancel(thrown::now);
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a");
    CompletableFuture<Boolean> closed = Elsewhere.call(() -> tenrec.close(Duration.ZERO).isEmpty());
    Scenario.await().until(() -> closed.isDone() || time.advanceMillis(1) == null);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertFailure(CancellationException.class, "a");
    assertFree(command);
    assertCounted(command, EMIT, CANCELLED);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_atTheFallback_givesItsPermitBack(Thrown thrown) {
    second.atCancel(thrown::now);
    StreamCommand<String, String> command =
        ticks().fallbackLimit(1).fallback((symbol, cause) -> second).build();
    for (int i = 0; i < 3; i++) {
      TestSubscriber<String> subscriber = command.toFlowable("x").test();
      source.fail(new IOException("down"));
      second.emit("f");
      assertThatCode(subscriber::cancel).doesNotThrowAnyException();
      subscriber.assertValues("f").assertNotComplete().assertNoErrors();
    }
    assertFree(command);
    Scenario.await()
        .untilAsserted(
            () ->
                assertThat(
                        Inside.fallbacksInUse(
                            InsideTenrec.registry(tenrec).commands().iterator().next().runtime()))
                    .isZero());
    assertThat(command.view().cumulativeCount(CANCELLED)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_whenTheFallbacksPublisherMisbehaves_losesNothing(Thrown thrown) {
    second.atCancel(thrown::now);
    StreamCommand<String, String> command =
        ticks().fallbackLimit(1).fallback((symbol, cause) -> second).build();
    for (int i = 0; i < 3; i++) {
      TestSubscriber<String> subscriber = command.toFlowable("x").test(1);
      source.fail(new IOException("down"));
      second.emit("f", "g");
      subscriber.assertFailure(IOException.class, "f");
    }
    assertFree(command);
    assertThat(command.view().cumulativeCount(FALLBACK_FAILURE)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_ofASubscriptionTooMany_leavesTheFirstAlone(Thrown thrown) {
    second.atCancel(thrown::now);
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThatCode(() -> source.subscriber().onSubscribe(second.subscription()))
        .doesNotThrowAnyException();
    assertThat(second.isCancelled()).isTrue();
    source.emit("a").complete();
    subscriber.assertResult("a");
    assertCounted(command, EMIT, SUCCESS);
  }

  @ParameterizedTest
  @EnumSource
  void cancelThatThrows_ofASubscriptionThatCameTooLate_losesNothing(Thrown thrown)
      throws Exception {
    second.atCancel(thrown::now);
    CompletableFuture<Subscriber<? super String>> late = new CompletableFuture<>();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand("Ticks", (String symbol) -> (Publisher<String>) late::complete)
            .timeout(FIRST)
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    time.advance(FIRST);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    assertThatCode(() -> late.join().onSubscribe(second.subscription())).doesNotThrowAnyException();
    assertThat(second.isCancelled()).isTrue();
    assertFree(command);
    assertCounted(command, TIMEOUT, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void cancelThatThrows_isLoggedOnceWithItsCommand() {
    source.atCancel(Thrown.EXCEPTION::now);
    StreamCommand<String, String> command = ticks().build();
    String log =
        logOf(
            "IllegalStateException: cannot be cancelled",
            () -> {
              for (int i = 0; i < 3; i++) {
                command.toFlowable("x").test().cancel();
              }
            });
    assertThat(log)
        .containsOnlyOnce("Ticks: its publisher's subscription threw at cancel")
        .containsOnlyOnce("IllegalStateException: cannot be cancelled");
  }

  @Test
  void cancelThatThrows_andALoggerThatThrowsToo_losesNothing() {
    source.atCancel(
        () -> {
          throw new Unprintable();
        });
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThatCode(subscriber::cancel).doesNotThrowAnyException();
    assertFree(command);
    assertCounted(command, CANCELLED);
  }

  /** A logger that is given it cannot print it. */
  private static final class Unprintable extends RuntimeException {
    @Override
    public String toString() {
      throw new IllegalStateException("a logger met me");
    }
  }

  // Nulls.

  @Test
  void nullError_isRefused_andEndsTheStream() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a");
    assertThatThrownBy(() -> source.fail(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("Ticks: ended with a null error");
    assertThat(subscriber.values()).containsExactly("a");
    assertFailedWith(subscriber, "Ticks: ended with a null error");
    assertFree(command);
    assertCounted(command, EMIT, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void nullError_afterTheEnd_isRefusedAllTheSame() {
    TestSubscriber<String> subscriber = ticks().build().toFlowable("x").test();
    source.complete();
    assertThatThrownBy(() -> source.fail(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> source.emit((String) null)).isInstanceOf(NullPointerException.class);
    subscriber.assertResult();
  }

  @Test
  void nullError_ofTheFallback_isAFailureOfIt() {
    StreamCommand<String, String> command = ticks().fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.fail(new IOException("down"));
    assertThatThrownBy(() -> second.fail(null)).isInstanceOf(NullPointerException.class);
    subscriber.assertFailure(IOException.class);
    assertCounted(command, FAILURE, FALLBACK_FAILURE, EXCEPTION_THROWN);
  }

  @Test
  void nullSubscription_isRefused_andEndsTheStream() {
    List<Throwable> refused = new ArrayList<>();
    Publisher<String> broken =
        subscriber -> {
          try {
            subscriber.onSubscribe(null);
          } catch (NullPointerException thrown) {
            refused.add(thrown); // and goes on as if nothing were
          }
        };
    StreamCommand<String, String> command =
        tenrec.streamCommand("Ticks", (String symbol) -> broken).timeout(FIRST).build();
    assertFailedWith(
        command.toFlowable("x").test(), "Ticks: its publisher gave a null subscription");
    assertThat(refused).hasSize(1);
    assertFree(command);
    assertCounted(command, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void nullItem_ofASubscriptionWhoseCancelThrows_isRefused_andEndsTheStream() {
    source.atCancel(Thrown.EXCEPTION::now);
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThatThrownBy(() -> source.emit((String) null)).isInstanceOf(NullPointerException.class);
    assertFailedWith(subscriber, "Ticks: an item was null");
    assertFree(command);
  }

  // Subscribers that throw.

  /** Writes down what it gets, and then does what the test wants. */
  private static class RecordingSubscriber implements FlowableSubscriber<String> {
    final List<String> signals = new ArrayList<>();
    Consumer<String> then = signal -> {};
    @Nullable Subscription subscription;

    @Override
    public void onSubscribe(Subscription subscription) {
      this.subscription = subscription;
      then.accept("subscribed");
    }

    @Override
    public void onNext(String item) {
      signals.add(item);
      then.accept("item");
    }

    @Override
    public void onError(Throwable thrown) {
      signals.add(thrown.getClass().getSimpleName());
      then.accept("failed");
    }

    @Override
    public void onComplete() {
      signals.add("completed");
      then.accept("completed");
    }

    RecordingSubscriber throwing(String at) {
      then =
          signal -> {
            if (signal.equals(at)) {
              throw new IllegalStateException("cannot take that it " + at);
            }
          };
      return this;
    }
  }

  @Test
  void onSubscribeThatThrows_startsNothing_andTakesNothing() {
    RecordingSubscriber subscriber = new RecordingSubscriber().throwing("subscribed");
    StreamCommand<String, String> command = ticks().build();
    assertThatThrownBy(() -> command.toFlowable("x").subscribe(subscriber))
        .hasRootCauseMessage("cannot take that it subscribed");
    subscriber.subscription.request(1);
    subscriber.subscription.request(0);
    subscriber.subscription.cancel();
    assertThat(source.subscribed).hasValue(0);
    assertThat(subscriber.signals).isEmpty();
    assertFree(command);
    assertCounted(command);
  }

  @Test
  void onCompleteThatThrows_isLogged_andChangesNothing() {
    RecordingSubscriber subscriber = new RecordingSubscriber().throwing("completed");
    StreamCommand<String, String> command = ticks().build();
    command.toFlowable("x").subscribe(subscriber);
    subscriber.subscription.request(2);
    source.emit("a");
    String log = logOf("onComplete", source::complete);
    assertThat(log).containsOnlyOnce("Ticks: its subscriber threw at onComplete");
    assertThat(subscriber.signals).containsExactly("a", "completed");
    assertFree(command);
    assertCounted(command, EMIT, SUCCESS);
  }

  @Test
  void subscribersThatThrow_areLoggedOnceForEachPlace() {
    StreamCommand<String, String> command = ticks().build();
    String log =
        logOf(
            "at onError",
            () -> {
              for (int i = 0; i < 3; i++) {
                RecordingSubscriber completed = new RecordingSubscriber().throwing("completed");
                command.toFlowable("x").subscribe(completed);
                source.complete();
              }
              RecordingSubscriber failed = new RecordingSubscriber().throwing("failed");
              command.toFlowable("x").subscribe(failed);
              source.fail(new IOException("down"));
            });
    assertThat(log)
        .containsOnlyOnce("Ticks: its subscriber threw at onComplete")
        .containsOnlyOnce("Ticks: its subscriber threw at onError");
  }

  @Test
  void onErrorThatThrows_isLogged_andChangesNothing() {
    RecordingSubscriber subscriber = new RecordingSubscriber().throwing("failed");
    StreamCommand<String, String> command = ticks().build();
    command.toFlowable("x").subscribe(subscriber);
    String log = logOf("onError", () -> source.fail(new IOException("down")));
    assertThat(log).containsOnlyOnce("Ticks: its subscriber threw at onError");
    assertThat(subscriber.signals).containsExactly("IOException");
    assertFree(command);
    assertCounted(command, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void onErrorThatThrows_afterAnItemItWaitedFor_doesNotReachThePublisher() {
    RecordingSubscriber subscriber = new RecordingSubscriber();
    StreamCommand<String, String> command = ticks().build();
    command.toFlowable("x").subscribe(subscriber);
    subscriber.subscription.request(1);
    subscriber.then =
        signal -> {
          if (signal.equals("item")) {
            source.fail(new IOException("down")); // reported after the item
          } else {
            throw new IllegalStateException("cannot take that it " + signal);
          }
        };
    assertThatCode(() -> source.emit("a")).doesNotThrowAnyException();
    assertThat(subscriber.signals).containsExactly("a", "IOException");
    assertFree(command);
    assertCounted(command, EMIT, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @ParameterizedTest
  @EnumSource
  void onNextThatThrows_ofASubscriptionWhoseCancelThrows_losesNothing(Thrown thrown) {
    source.atCancel(thrown::now);
    RecordingSubscriber subscriber = new RecordingSubscriber().throwing("item");
    StreamCommand<String, String> command = ticks().build();
    command.toFlowable("x").subscribe(subscriber);
    subscriber.subscription.request(2);
    assertThatThrownBy(() -> source.emit("a")).hasMessage("cannot take that it item");
    source.complete();
    assertThat(subscriber.signals).containsExactly("a");
    assertFree(command);
    assertCounted(command, EMIT, CANCELLED);
  }

  @Test
  void onNextThatThrows_withinTheAsking_isLogged() {
    RecordingSubscriber subscriber = new RecordingSubscriber().throwing("item");
    StreamCommand<String, String> command =
        tenrec.streamCommand("Ticks", (String symbol) -> Flowable.just("a", "b")).build();
    command.toFlowable("x").subscribe(subscriber);
    String log = logOf("onNext", () -> subscriber.subscription.request(2));
    assertThat(log).containsOnlyOnce("Ticks: its subscriber threw at onNext");
    assertThat(subscriber.signals).containsExactly("a");
    assertFree(command);
    assertCounted(command, EMIT, CANCELLED);
  }

  // Asking that comes back.

  @Test
  void askingFromWithinOnNext_ofASourceThatSendsWithinTheAsking_doesNotOverflowTheStack() {
    int items = 200_000;
    Publisher<String> eager =
        subscriber ->
            subscriber.onSubscribe(
                new Subscription() {
                  private int sent;

                  @Override
                  public void request(long n) {
                    if (sent++ < items) {
                      subscriber.onNext("item");
                    } else {
                      subscriber.onComplete();
                    }
                  }

                  @Override
                  public void cancel() {}
                });
    StreamCommand<String, String> command =
        tenrec.streamCommand("Ticks", (String symbol) -> eager).build();
    command
        .toFlowable("x")
        .rebatchRequests(1)
        .test()
        .assertValueCount(items)
        .assertNoErrors()
        .assertComplete();
    assertFree(command);
  }

  private static void assertFailedWith(TestSubscriber<String> subscriber, String message) {
    subscriber.assertError(
        thrown -> {
          assertThat(thrown).hasMessage(message);
          return true;
        });
  }

  /** What it logs, with this in the end. */
  private static String logOf(String last, Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      action.run();
      Scenario.await().until(() -> written.toString(StandardCharsets.UTF_8).contains(last));
    } finally {
      System.setErr(before);
    }
    return written.toString(StandardCharsets.UTF_8);
  }
}
