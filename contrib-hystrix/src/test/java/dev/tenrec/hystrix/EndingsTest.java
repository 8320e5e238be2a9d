// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static dev.tenrec.hystrix.HystrixEventType.BAD_REQUEST;
import static dev.tenrec.hystrix.HystrixEventType.FAILURE;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_FAILURE;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_MISSING;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_REJECTION;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_SUCCESS;
import static dev.tenrec.hystrix.HystrixEventType.SEMAPHORE_REJECTED;
import static dev.tenrec.hystrix.HystrixEventType.SHORT_CIRCUITED;
import static dev.tenrec.hystrix.HystrixEventType.SUCCESS;
import static dev.tenrec.hystrix.HystrixEventType.THREAD_POOL_REJECTED;
import static dev.tenrec.hystrix.HystrixEventType.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.exception.ExceptionNotWrappedByHystrix;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import dev.tenrec.hystrix.exception.HystrixTimeoutException;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.util.HystrixRollingNumberEvent;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Observable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way an execution can end: its events, what its caller gets, what it can be asked. */
@ExtendWith(FreshHystrix.class)
class EndingsTest {

  private final String key = TestCommand.newKey();

  private static final Callable<String> FAILS =
      () -> {
        throw new IOException("down");
      };

  private static final Supplier<String> FALLBACK_FAILS =
      () -> {
        throw new IllegalStateException("so is the fallback");
      };

  private HystrixCommand.Setter on(ExecutionIsolationStrategy strategy) {
    return TestCommand.setter(key, TestCommand.settings(strategy));
  }

  private static HystrixRuntimeException failureOf(HystrixCommand<String> command) {
    try {
      throw new AssertionError("it answered " + command.execute());
    } catch (HystrixRuntimeException failure) {
      return failure;
    }
  }

  private void assertFailure(HystrixRuntimeException failure, FailureType type, String words) {
    assertThat(failure.getFailureType()).isEqualTo(type);
    assertThat(failure).hasMessage(key + " " + words);
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void success_always_isSaid(ExecutionIsolationStrategy strategy) {
    HystrixCommand<String> command =
        TestCommand.of(on(strategy), () -> Thread.currentThread().getName());

    String thread = command.execute();

    boolean onPool = strategy == ExecutionIsolationStrategy.THREAD;
    assertThat(thread.startsWith("hystrix-Group of " + key + "-")).isEqualTo(onPool);
    assertThat(command.getExecutionEvents()).containsExactly(SUCCESS);
    assertThat(command.isExecutionComplete()).isTrue();
    assertThat(command.isSuccessfulExecution()).isTrue();
    assertThat(command.isExecutedInThread()).isEqualTo(onPool);
    assertThat(command.getExecutionTimeInMilliseconds()).isNotNegative();
    assertThat(command.getExecutionException()).isNull();
    assertThat(command.getFailedExecutionException()).isNull();
    assertThat(command.isResponseFromFallback()).isFalse();
    assertThat(command.getMetrics().getCurrentConcurrentExecutionCount()).isZero();
    // a caller may be ahead of the thread that counts
    await().until(() -> command.getMetrics().getRollingCount(SUCCESS) == 1);
    await().until(() -> command.getMetrics().getHealthCounts().getTotalRequests() == 1);
  }

  @Test
  void query_beforeItBegins_saysNothing() {
    HystrixCommand<String> command =
        TestCommand.of(on(ExecutionIsolationStrategy.THREAD), () -> "answer");

    assertThat(command.getExecutionEvents()).isEmpty();
    assertThat(command.isExecutionComplete()).isFalse();
    assertThat(command.getExecutionTimeInMilliseconds()).isEqualTo(-1);
    assertThat(command.getMetrics().getRollingCount(SUCCESS)).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void failure_withFallback_isAnswered(ExecutionIsolationStrategy strategy) {
    HystrixCommand<?>[] self = new HystrixCommand<?>[1];
    HystrixCommand<String> command =
        TestCommand.of(
            on(strategy),
            FAILS,
            () -> self[0].isFailedExecution() + " " + self[0].getExecutionException().getMessage());
    self[0] = command;

    assertThat(command.execute()).isEqualTo("true down");
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE, FALLBACK_SUCCESS);
    assertThat(command.isResponseFromFallback()).isTrue();
    assertThat(command.isFailedExecution()).isTrue();
    assertThat(command.getFailedExecutionException()).isInstanceOf(IOException.class);
  }

  @Test
  void failure_whenTheFallbackFails_hasBoth() {
    HystrixRuntimeException failure =
        failureOf(TestCommand.of(on(ExecutionIsolationStrategy.THREAD), FAILS, FALLBACK_FAILS));

    assertFailure(failure, FailureType.COMMAND_EXCEPTION, "failed and fallback failed.");
    assertThat(failure).hasCauseInstanceOf(IOException.class);
    assertThat(failure.getFallbackException()).hasMessage("so is the fallback");
  }

  @Test
  void failure_whenTheFallbackCallsSuper_isCountedAsMissing() {
    HystrixCommand<String> command =
        new HystrixCommand<>(on(ExecutionIsolationStrategy.SEMAPHORE)) {
          @Override
          protected String run() throws Exception {
            return FAILS.call();
          }

          @Override
          protected String getFallback() {
            return super.getFallback();
          }
        };

    HystrixRuntimeException failure = failureOf(command);

    assertFailure(failure, FailureType.COMMAND_EXCEPTION, "failed and no fallback available.");
    assertThat(failure.getFallbackException()).isInstanceOf(UnsupportedOperationException.class);
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE, FALLBACK_MISSING);
    assertThat(command.getMetrics().getRollingCount(FALLBACK_MISSING)).isOne();
    assertThat(command.getMetrics().getRollingCount(FALLBACK_FAILURE)).isZero();
    assertThat(command.getMetrics().getRollingCount(HystrixEventType.EXCEPTION_THROWN)).isOne();
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void failure_whenTheFallbackIsUnsupported_isMissingInMetricsAsWell(
      ExecutionIsolationStrategy strategy) {
    UnsupportedOperationException none = new UnsupportedOperationException("not here");
    HystrixCommand<String> command =
        TestCommand.of(
            on(strategy),
            FAILS,
            () -> {
              throw none;
            });

    HystrixRuntimeException failure = failureOf(command);

    assertFailure(failure, FailureType.COMMAND_EXCEPTION, "failed and no fallback available.");
    assertThat(failure.getFallbackException()).isSameAs(none);
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE, FALLBACK_MISSING);
    await().until(() -> command.getMetrics().getRollingCount(FALLBACK_MISSING) == 1);
    assertThat(command.getMetrics().getRollingCount(FALLBACK_FAILURE)).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void failureOfAStream_whenTheFallbackIsUnsupported_isMissingInMetricsAsWell(boolean thrown) {
    UnsupportedOperationException none = new UnsupportedOperationException("not here");
    HystrixObservableCommand<String> command =
        new HystrixObservableCommand<>(
            HystrixObservableCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(key))
                .andCommandKey(HystrixCommandKey.Factory.asKey(key))) {
          @Override
          protected Observable<String> construct() {
            return Observable.error(new IOException("down"));
          }

          @Override
          protected Observable<String> resumeWithFallback() {
            if (thrown) {
              throw none;
            }
            return Observable.error(none);
          }
        };

    command
        .toObservable()
        .test()
        .assertError(
            failure ->
                failure instanceof HystrixRuntimeException hystrix
                    && hystrix.getFallbackException() == none);
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE, FALLBACK_MISSING);
    await().until(() -> command.getMetrics().getRollingCount(FALLBACK_MISSING) == 1);
    assertThat(command.getMetrics().getRollingCount(FALLBACK_FAILURE)).isZero();
  }

  @Test
  void exceptionThrown_always_isCountedInMetricsAsOfTheInstance() {
    HystrixCommand<String> disabled =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(ExecutionIsolationStrategy.SEMAPHORE)
                    .withFallbackEnabled(false)),
            FAILS,
            () -> "never");
    assertThatThrownBy(disabled::execute).isInstanceOf(HystrixRuntimeException.class);
    HystrixCommand<String> missing =
        TestCommand.of(
            TestCommand.setter(
                TestCommand.newKey(), TestCommand.settings(ExecutionIsolationStrategy.SEMAPHORE)),
            FAILS);
    assertThatThrownBy(missing::execute).isInstanceOf(HystrixRuntimeException.class);

    for (HystrixCommand<String> command : List.of(disabled, missing)) {
      int own = command.getEventCounts().getCount(HystrixEventType.EXCEPTION_THROWN);
      assertThat(own).isEqualTo(command == missing ? 1 : 0);
      assertThat(command.getMetrics().getRollingCount(HystrixEventType.EXCEPTION_THROWN))
          .isEqualTo(own);
      assertThat(
              command.getMetrics().getCumulativeCount(HystrixRollingNumberEvent.EXCEPTION_THROWN))
          .isEqualTo(own);
    }
  }

  @Test
  void failure_whenFallbacksAreDisabled_saysSo() {
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(ExecutionIsolationStrategy.THREAD).withFallbackEnabled(false)),
            FAILS,
            () -> "never");

    HystrixRuntimeException failure = failureOf(command);

    assertFailure(failure, FailureType.COMMAND_EXCEPTION, "failed and fallback disabled.");
    assertThat(failure.getFallbackException()).isNull();
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE);
  }

  @Test
  void failure_whenNoFallbackMayRun_keepsItsCause() {
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(ExecutionIsolationStrategy.THREAD)
                    .withFallbackIsolationSemaphoreMaxConcurrentRequests(0)),
            FAILS,
            () -> "never");

    HystrixRuntimeException failure = failureOf(command);

    assertFailure(failure, FailureType.REJECTED_SEMAPHORE_FALLBACK, "fallback execution rejected.");
    assertThat(failure).hasCauseInstanceOf(IOException.class);
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE, FALLBACK_REJECTION);
  }

  @Test
  void error_thatCanBeHidden_isHiddenByTheFallback() {
    HystrixCommand<String> command =
        TestCommand.of(
            on(ExecutionIsolationStrategy.THREAD),
            () -> {
              throw new AssertionError("no");
            },
            () -> "fallback");

    assertThat(command.execute()).isEqualTo("fallback");
    assertThat(command.getFailedExecutionException())
        .isExactlyInstanceOf(Exception.class)
        .hasCauseInstanceOf(AssertionError.class);
  }

  @Test
  void error_ofTheJvm_asksNoFallback() {
    HystrixCommand<String> command =
        TestCommand.of(
            on(ExecutionIsolationStrategy.THREAD),
            () -> {
              throw new NoClassDefFoundError("gone");
            },
            () -> "never");

    HystrixRuntimeException failure = failureOf(command);

    assertFailure(
        failure, FailureType.COMMAND_EXCEPTION, "failed and encountered unrecoverable error.");
    assertThat(failure.getCause().getCause()).isInstanceOf(NoClassDefFoundError.class);
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE);
  }

  static final class AsItIs extends Exception implements ExceptionNotWrappedByHystrix {
    private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void notWrapped_always_reachesTheCallerPastTheFallback(ExecutionIsolationStrategy strategy) {
    HystrixCommand<String> command =
        TestCommand.of(
            on(strategy),
            () -> {
              throw new AsItIs();
            },
            () -> "never");

    assertThatThrownBy(command::execute).isInstanceOf(AsItIs.class);
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE);
    // a caller may be ahead of the thread that counts
    await().until(() -> command.getMetrics().getHealthCounts().getErrorCount() == 1);
  }

  @Test
  void notWrapped_inABadRequest_isThrownByExecuteOnly() {
    Callable<String> asksWrongly =
        () -> {
          throw new HystrixBadRequestException("wrong", new AsItIs());
        };
    HystrixCommand<String> command =
        TestCommand.of(on(ExecutionIsolationStrategy.THREAD), asksWrongly);

    assertThatThrownBy(command::execute).isInstanceOf(AsItIs.class);
    assertThat(command.getExecutionEvents()).containsExactly(BAD_REQUEST);
    Future<String> queued =
        TestCommand.of(on(ExecutionIsolationStrategy.THREAD), asksWrongly).queue();
    assertThatThrownBy(queued::get).hasCauseInstanceOf(HystrixBadRequestException.class);
  }

  @Test
  void timeout_withoutFallback_isATimeoutException() {
    CountDownLatch never = new CountDownLatch(1);
    ManualTime time = new ManualTime();
    Tenrec tenrec = TestCommand.livesBy(time);
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(ExecutionIsolationStrategy.THREAD)
                    .withExecutionTimeoutInMilliseconds(50)),
            () -> {
              time.advanceMillis(60);
              never.await();
              return "never";
            });

    HystrixRuntimeException failure = failureOf(command);

    assertFailure(failure, FailureType.TIMEOUT, "timed-out and no fallback available.");
    assertThat(failure).hasCauseInstanceOf(TimeoutException.class);
    assertThat(command.getExecutionException()).isInstanceOf(HystrixTimeoutException.class);
    assertThat(command.getFailedExecutionException()).isNull();
    assertThat(command.getExecutionEvents()).containsExactly(TIMEOUT, FALLBACK_MISSING);
    assertThat(command.isResponseTimedOut()).isTrue();
    assertThat(command.isExecutedInThread()).isTrue();
    assertThat(command.getExecutionTimeInMilliseconds()).isEqualTo(60);
    await().until(() -> command.getMetrics().getCurrentConcurrentExecutionCount() == 0);
    tenrec.close();
  }

  @Test
  void timeout_thatNoCallerWaitsFor_isAnsweredByTheTimersThreads() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    ManualTime time = new ManualTime();
    Tenrec tenrec = TestCommand.livesBy(time);
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(ExecutionIsolationStrategy.THREAD)
                    .withExecutionTimeoutInMilliseconds(50)),
            () -> {
              time.advanceMillis(60);
              never.await();
              return "never";
            },
            () -> Thread.currentThread().getName());

    assertThat(command.queue().get()).startsWith("HystrixTimer-");
    assertThat(command.getExecutionEvents()).containsExactly(TIMEOUT, FALLBACK_SUCCESS);
    tenrec.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void openCircuit_always_refuses(ExecutionIsolationStrategy strategy) {
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key, TestCommand.settings(strategy).withCircuitBreakerForceOpen(true)),
            () -> "never");
    assertThat(command.isCircuitBreakerOpen()).isTrue();

    HystrixRuntimeException failure = failureOf(command);

    assertFailure(failure, FailureType.SHORTCIRCUIT, "short-circuited and no fallback available.");
    assertThat(failure.getCause()).hasMessage("Hystrix circuit short-circuited and is OPEN");
    assertThat(command.getExecutionEvents()).containsExactly(SHORT_CIRCUITED, FALLBACK_MISSING);
    assertThat(command.getExecutionTimeInMilliseconds()).isEqualTo(-1);
    assertThat(command.isExecutedInThread()).isFalse();
    HystrixCommand<String> queued = TestCommand.of(on(strategy), () -> "never");
    assertThatThrownBy(queued::queue).isInstanceOf(HystrixRuntimeException.class);
  }

  @Test
  void circuit_afterErrors_opens() throws Exception {
    HystrixCommand.Setter setter =
        TestCommand.setter(
            key,
            TestCommand.settings(ExecutionIsolationStrategy.THREAD)
                .withCircuitBreakerRequestVolumeThreshold(0)
                .withCircuitBreakerSleepWindowInMilliseconds(3_600_000)
                .withCircuitBreakerErrorThresholdPercentage(40));
    HystrixCommand<String> first = TestCommand.of(setter, FAILS, () -> "fallback");
    first.execute();

    org.awaitility.Awaitility.await().until(first::isCircuitBreakerOpen);
    HystrixCommand<String> second = TestCommand.of(setter, () -> "never", () -> "fallback");
    assertThat(second.queue().get()).isEqualTo("fallback");
    assertThat(second.isResponseShortCircuited()).isTrue();
    assertThat(HystrixCircuitBreaker.Factory.getInstance(second.getCommandKey()).allowRequest())
        .isFalse();
  }

  @Test
  void fullPool_always_refuses() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    HystrixCommand.Setter setter =
        on(ExecutionIsolationStrategy.THREAD)
            .andThreadPoolPropertiesDefaults(HystrixThreadPoolProperties.Setter().withCoreSize(1));
    Future<String> holder =
        TestCommand.of(
                setter,
                () -> {
                  busy.countDown();
                  over.await();
                  return "held";
                })
            .queue();
    busy.await();

    HystrixCommand<String> command = TestCommand.of(setter, () -> "never");
    HystrixRuntimeException failure = failureOf(command);

    assertFailure(
        failure,
        FailureType.REJECTED_THREAD_EXECUTION,
        "could not be queued for execution and no fallback available.");
    assertThat(failure).hasCauseInstanceOf(RejectedExecutionException.class);
    assertThat(command.getExecutionEvents())
        .containsExactly(THREAD_POOL_REJECTED, FALLBACK_MISSING);
    assertThat(command.isResponseRejected()).isTrue();
    assertThat(command.isResponseThreadPoolRejected()).isTrue();
    over.countDown();
    assertThat(holder.get()).isEqualTo("held");
  }

  @Test
  void fullSemaphore_always_refuses() {
    HystrixCommand.Setter setter =
        TestCommand.setter(
            key,
            TestCommand.settings(ExecutionIsolationStrategy.SEMAPHORE)
                .withExecutionIsolationSemaphoreMaxConcurrentRequests(1));
    HystrixCommand<String> inner = TestCommand.of(setter, () -> "never");
    HystrixRuntimeException[] failure = new HystrixRuntimeException[1];

    TestCommand.of(
            setter,
            () -> {
              failure[0] = failureOf(inner);
              return "outer";
            })
        .execute();

    assertFailure(
        failure[0],
        FailureType.REJECTED_SEMAPHORE_EXECUTION,
        "could not acquire a semaphore for execution and no fallback available.");
    assertThat(inner.getExecutionEvents()).containsExactly(SEMAPHORE_REJECTED, FALLBACK_MISSING);
    assertThat(inner.isResponseSemaphoreRejected()).isTrue();
  }

  @Test
  void secondUse_always_isRefused() {
    HystrixCommand<String> command =
        TestCommand.of(on(ExecutionIsolationStrategy.THREAD), () -> "answer");
    assertThat(command.execute()).isEqualTo("answer");

    HystrixRuntimeException failure = failureOf(command);

    assertFailure(
        failure,
        FailureType.BAD_REQUEST_EXCEPTION,
        "command executed multiple times - this is not permitted.");
    assertThat(failure).hasCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(command::queue).isInstanceOf(HystrixRuntimeException.class);
    command.toObservable().test().assertError(HystrixRuntimeException.class);
    assertThat(command.getExecutionEvents()).containsExactly(SUCCESS);
  }

  @Test
  void queue_whenTheWorkFails_failsItsFuture() {
    Future<String> future = TestCommand.of(on(ExecutionIsolationStrategy.SEMAPHORE), FAILS).queue();

    assertThatThrownBy(future::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(HystrixRuntimeException.class);
  }
}
