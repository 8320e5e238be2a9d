// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static dev.tenrec.hystrix.HystrixEventType.CANCELLED;
import static dev.tenrec.hystrix.HystrixEventType.EMIT;
import static dev.tenrec.hystrix.HystrixEventType.FAILURE;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_EMIT;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_FAILURE;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_MISSING;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.observers.TestObserver;
import io.reactivex.rxjava3.subjects.PublishSubject;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A CancellationException of an observable command's own is a failure as any other; only that of
 * the close is a cancellation.
 */
@ExtendWith(FreshHystrix.class)
class OwnCancellationTest {

  private final String key = TestCommand.newKey();
  private final CancellationException own = new CancellationException("the client gave up");

  private HystrixObservableCommand.Setter on(ExecutionIsolationStrategy strategy) {
    return HystrixObservableCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Own"))
        .andCommandKey(HystrixCommandKey.Factory.asKey(key))
        .andCommandPropertiesDefaults(TestCommand.settings(strategy));
  }

  private HystrixObservableCommand<String> command(
      ExecutionIsolationStrategy strategy, Supplier<Observable<String>> work) {
    return new HystrixObservableCommand<>(on(strategy)) {
      @Override
      protected Observable<String> construct() {
        return work.get();
      }
    };
  }

  private HystrixObservableCommand<String> command(
      ExecutionIsolationStrategy strategy,
      Supplier<Observable<String>> work,
      Supplier<Observable<String>> fallback) {
    return new HystrixObservableCommand<>(on(strategy)) {
      @Override
      protected Observable<String> construct() {
        return work.get();
      }

      @Override
      protected Observable<String> resumeWithFallback() {
        return fallback.get();
      }
    };
  }

  /** As it was when it had ended. */
  private static TestObserver<String> ended(HystrixObservableCommand<String> command)
      throws InterruptedException {
    return command.toObservable().test().await();
  }

  private void assertFailed(HystrixObservableCommand<String> command) {
    assertThat(command.isExecutionComplete()).isTrue();
    assertThat(command.isFailedExecution()).isTrue();
    assertThat(command.getFailedExecutionException()).isSameAs(own);
    assertThat(command.getExecutionException()).isSameAs(own);
    assertThat(command.getMetrics().getCumulativeCount(FAILURE)).isOne();
    assertThat(command.getMetrics().getCumulativeCount(CANCELLED)).isZero();
  }

  private static boolean failed(Throwable error, Throwable cause) {
    return error instanceof HystrixRuntimeException failure
        && failure.getFailureType() == FailureType.COMMAND_EXCEPTION
        && failure.getCause() == cause;
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void work_thatEndsInIt_hasFailed(ExecutionIsolationStrategy strategy) throws Exception {
    HystrixObservableCommand<String> command =
        command(strategy, () -> Observable.just("one").concatWith(Observable.error(own)));

    ended(command).assertValues("one").assertError(error -> failed(error, own));

    assertFailed(command);
    assertThat(command.getExecutionEvents()).containsExactly(EMIT, FAILURE, FALLBACK_MISSING);
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void work_thatThrowsIt_hasFailed(ExecutionIsolationStrategy strategy) throws Exception {
    HystrixObservableCommand<String> command =
        command(
            strategy,
            () -> {
              throw own;
            });

    ended(command).assertNoValues().assertError(error -> failed(error, own));

    assertFailed(command);
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE, FALLBACK_MISSING);
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void work_thatEndsInIt_isAnsweredByTheFallback(ExecutionIsolationStrategy strategy)
      throws Exception {
    HystrixObservableCommand<String> command =
        command(strategy, () -> Observable.error(own), () -> Observable.just("instead"));

    ended(command).assertResult("instead");

    assertFailed(command);
    assertThat(command.getExecutionEvents())
        .containsExactly(FAILURE, FALLBACK_EMIT, FALLBACK_SUCCESS);
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void fallback_thatEndsInIt_hasFailed(ExecutionIsolationStrategy strategy) throws Exception {
    IllegalStateException down = new IllegalStateException("down");
    HystrixObservableCommand<String> command =
        command(strategy, () -> Observable.error(down), () -> Observable.error(own));

    ended(command)
        .assertError(
            error ->
                failed(error, down)
                    && ((HystrixRuntimeException) error).getFallbackException() == own);

    assertThat(command.isExecutionComplete()).isTrue();
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE, FALLBACK_FAILURE);
  }

  @Test
  void both_thatEndInTheSame_haveFailed() throws Exception {
    HystrixObservableCommand<String> command =
        command(
            ExecutionIsolationStrategy.SEMAPHORE,
            () -> Observable.error(own),
            () -> Observable.error(own));

    ended(command).assertError(error -> failed(error, own));

    assertFailed(command);
    assertThat(command.getExecutionEvents()).containsExactly(FAILURE, FALLBACK_FAILURE);
  }

  @Test
  void hook_thatMakesOneOfTheWorksFailure_leavesItAFailure() throws Exception {
    HystrixPlugins.getInstance()
        .registerCommandExecutionHook(
            new HystrixCommandExecutionHook() {
              @Override
              public <T> Exception onExecutionError(
                  HystrixInvokable<T> commandInstance, Exception e) {
                return own;
              }
            });
    HystrixObservableCommand<String> command =
        command(
            ExecutionIsolationStrategy.SEMAPHORE,
            () -> Observable.error(new IllegalStateException("down")));

    ended(command).assertError(error -> failed(error, own));

    assertFailed(command);
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void close_duringTheWork_isACancellation(ExecutionIsolationStrategy strategy) throws Exception {
    PublishSubject<String> source = PublishSubject.create();
    try (Tenrec tenrec = HystrixTenrec.builder().build()) {
      HystrixTenrec.set(tenrec);
      HystrixObservableCommand<String> command = command(strategy, () -> source);
      TestObserver<String> seen = command.toObservable().test();
      Awaitility.await().until(source::hasObservers);

      tenrec.close();

      seen.await()
          .assertError(
              error ->
                  error instanceof HystrixRuntimeException failure
                      && failure.getCause() instanceof CancellationException);
      assertThat(command.getExecutionEvents()).containsExactly(CANCELLED);
      assertThat(command.isExecutionComplete()).isFalse();
      assertThat(command.isFailedExecution()).isFalse();
    }
  }
}
