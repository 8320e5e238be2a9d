// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static dev.tenrec.hystrix.HystrixEventType.BAD_REQUEST;
import static dev.tenrec.hystrix.HystrixEventType.CANCELLED;
import static dev.tenrec.hystrix.HystrixEventType.EMIT;
import static dev.tenrec.hystrix.HystrixEventType.FAILURE;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_EMIT;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_MISSING;
import static dev.tenrec.hystrix.HystrixEventType.FALLBACK_SUCCESS;
import static dev.tenrec.hystrix.HystrixEventType.RESPONSE_FROM_CACHE;
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
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Observable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an instance says of itself in its fallback, in a queue, as a cache hit, and given up. */
@ExtendWith(FreshHystrix.class)
class AskedWhileItRunsTest {

  private final String key = TestCommand.newKey();

  private HystrixCommand.Setter on(ExecutionIsolationStrategy strategy) {
    return TestCommand.setter(key, TestCommand.settings(strategy));
  }

  private static final class AsItIs extends RuntimeException
      implements ExceptionNotWrappedByHystrix {
    private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void fallback_always_knowsTheTimeOfTheWork(ExecutionIsolationStrategy strategy) {
    AtomicReference<HystrixCommand<String>> self = new AtomicReference<>();
    HystrixCommand<String> command =
        TestCommand.of(
            on(strategy),
            () -> {
              throw new IllegalStateException("down");
            },
            () ->
                self.get().getExecutionEvents()
                    + " "
                    + self.get().getExecutionTimeInMilliseconds());
    self.set(command);

    assertThat(command.execute()).matches("\\[FAILURE] \\d+");
    assertThat(command.getExecutionTimeInMilliseconds()).isNotNegative();
  }

  @Test
  void fallback_ofARefusedCall_knowsNoTime() {
    AtomicReference<HystrixCommand<String>> self = new AtomicReference<>();
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(ExecutionIsolationStrategy.THREAD)
                    .withCircuitBreakerForceOpen(true)),
            () -> "never",
            () ->
                self.get().getExecutionEvents()
                    + " "
                    + self.get().getExecutionTimeInMilliseconds());
    self.set(command);

    assertThat(command.execute()).isEqualTo("[SHORT_CIRCUITED] -1");
    assertThat(command.getCommandRunStartTimeInNanos()).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void badRequest_always_isNoFailure(ExecutionIsolationStrategy strategy) {
    HystrixCommand<String> command =
        TestCommand.of(
            on(strategy),
            () -> {
              throw new HystrixBadRequestException("wrong");
            },
            () -> "never");

    assertThatThrownBy(command::execute).isExactlyInstanceOf(HystrixBadRequestException.class);
    assertThat(command.getExecutionEvents()).containsExactly(BAD_REQUEST);
    assertThat(command.isFailedExecution()).isFalse();
    assertThat(command.getFailedExecutionException()).isNull();
    assertThat(command.getExecutionException()).isInstanceOf(HystrixBadRequestException.class);
  }

  @Test
  void queue_ofABadRequestThatIsNotToBeWrapped_throwsWhatItCarries() {
    HystrixCommand<String> command =
        TestCommand.of(
            on(ExecutionIsolationStrategy.SEMAPHORE),
            () -> {
              throw new HystrixBadRequestException("wrong", new AsItIs());
            });

    assertThatThrownBy(command::queue).isInstanceOf(AsItIs.class);
    assertThat(command.getExecutionEvents()).containsExactly(BAD_REQUEST);
  }

  @Test
  void queue_beyondItsThreshold_refuses() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    HystrixCommand.Setter setter =
        on(ExecutionIsolationStrategy.THREAD)
            .andThreadPoolPropertiesDefaults(
                HystrixThreadPoolProperties.Setter()
                    .withCoreSize(1)
                    .withMaxQueueSize(10)
                    .withQueueSizeRejectionThreshold(1));
    CountDownLatch begun = new CountDownLatch(1);
    Future<String> running =
        TestCommand.of(
                setter,
                () -> {
                  begun.countDown();
                  over.await();
                  return "first";
                })
            .queue();
    begun.await();
    AtomicBoolean ran = new AtomicBoolean();
    HystrixCommand<String> waiting =
        TestCommand.of(
            setter,
            () -> {
              ran.set(true);
              return "second";
            });
    Future<String> second = waiting.queue();
    HystrixCommand<String> refused = TestCommand.of(setter, () -> "never");

    assertThatThrownBy(refused::queue)
        .isInstanceOfSatisfying(
            HystrixRuntimeException.class,
            failure ->
                assertThat(failure.getFailureType())
                    .isEqualTo(FailureType.REJECTED_THREAD_EXECUTION));
    assertThat(refused.getExecutionEvents())
        .containsExactly(THREAD_POOL_REJECTED, FALLBACK_MISSING);
    HystrixThreadPoolMetrics pool =
        HystrixThreadPoolMetrics.getInstance(refused.getThreadPoolKey());
    assertThat(pool.getCurrentQueueSize().intValue()).isOne();
    assertThat(waiting.getExecutionEvents()).isEmpty();
    assertThat(waiting.isExecutedInThread()).isFalse();

    assertThat(second.cancel(true)).isTrue();

    assertThat(pool.getCurrentQueueSize().intValue()).isZero();
    assertThat(waiting.getExecutionEvents()).containsExactly(CANCELLED);
    assertThat(waiting.getExecutionTimeInMilliseconds()).isNotNegative();
    assertThatThrownBy(second::get).isInstanceOf(CancellationException.class);
    over.countDown();
    assertThat(running.get()).isEqualTo("first");
    assertThat(ran).isFalse();
  }

  private HystrixCommand<String> cached(HystrixCommand.Setter setter, Callable<String> work) {
    return new HystrixCommand<>(setter) {
      @Override
      protected String run() throws Exception {
        return work.call();
      }

      @Override
      protected String getCacheKey() {
        return "one";
      }
    };
  }

  @Test
  void cacheHit_ofATimeout_staysOneWhenTheWorkIsDone() {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch over = new CountDownLatch(1);
    ManualTime time = new ManualTime();
    HystrixCommand.Setter setter =
        TestCommand.setter(
            key,
            TestCommand.settings(ExecutionIsolationStrategy.THREAD)
                .withExecutionIsolationThreadInterruptOnTimeout(false)
                .withExecutionTimeoutInMilliseconds(50));
    Callable<String> work =
        () -> {
          runs.incrementAndGet();
          time.advanceMillis(60);
          over.await();
          return "late";
        };
    try (Tenrec tenrec = TestCommand.livesBy(time);
        HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      HystrixCommand<String> original = cached(setter, work);
      HystrixCommand<String> early = cached(setter, work);
      HystrixCommand<String> late = cached(setter, work);
      assertThatThrownBy(original::execute).isInstanceOf(HystrixRuntimeException.class);
      assertThatThrownBy(early::execute).isInstanceOf(HystrixRuntimeException.class);
      over.countDown();
      assertThatThrownBy(() -> late.queue().get())
          .hasCauseInstanceOf(HystrixRuntimeException.class);

      assertThat(original.getExecutionEvents()).containsExactly(TIMEOUT, FALLBACK_MISSING);
      assertThat(late.getExecutionEvents())
          .containsExactly(TIMEOUT, FALLBACK_MISSING, RESPONSE_FROM_CACHE);
      assertThat(late.isResponseTimedOut()).isTrue();
      assertThat(late.isExecutedInThread()).isFalse();
      assertThat(late.getExecutionTimeInMilliseconds()).isEqualTo(-1);
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void cacheHit_thatIsGivenUp_hasNoTime() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Callable<String> work =
          () -> {
            over.await();
            return "answer";
          };
      HystrixCommand<String> original = cached(on(ExecutionIsolationStrategy.THREAD), work);
      HystrixCommand<String> hit = cached(on(ExecutionIsolationStrategy.THREAD), work);
      Future<String> answer = original.queue();

      hit.toObservable().test().dispose();
      over.countDown();

      assertThat(answer.get()).isEqualTo("answer");
      assertThat(hit.getExecutionEvents()).containsExactly(RESPONSE_FROM_CACHE, CANCELLED);
      assertThat(hit.isResponseFromCache()).isTrue();
      assertThat(hit.isExecutionComplete()).isFalse();
      assertThat(hit.getExecutionTimeInMilliseconds()).isEqualTo(-1);
      assertThat(original.isExecutionComplete()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void timeout_thatNoCallerAsksFor_interruptsIfTheSettingSaysSo(boolean interrupts)
      throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    ManualTime time = new ManualTime();
    Tenrec tenrec = TestCommand.livesBy(time);
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(ExecutionIsolationStrategy.THREAD)
                    .withExecutionTimeoutInMilliseconds(50)
                    .withExecutionIsolationThreadInterruptOnTimeout(interrupts)),
            () -> {
              time.advanceMillis(60);
              try {
                over.await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
              return "late";
            },
            () -> "fallback");
    Future<String> future = command.queue();

    await().until(command::isResponseTimedOut);
    assertThat(future.get()).isEqualTo("fallback");
    if (interrupts) {
      await().untilTrue(interrupted);
    } else {
      assertThat(interrupted).isFalse();
    }
    over.countDown();
    assertThat(command.getExecutionEvents()).containsExactly(TIMEOUT, FALLBACK_SUCCESS);
    tenrec.close();
  }

  @Test
  void retry_ofAnInstance_runsItOnce() {
    AtomicInteger runs = new AtomicInteger();
    TestCommand.of(
            on(ExecutionIsolationStrategy.THREAD),
            () -> {
              runs.incrementAndGet();
              throw new IllegalStateException("down");
            })
        .toObservable()
        .retry(3)
        .test()
        .awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS)
        .assertError(failure -> failure.getCause() instanceof IllegalStateException);

    assertThat(runs).hasValue(1);
  }

  @Test
  void firstItem_thatIsEnough_isASuccess() {
    HystrixCommand<String> command =
        TestCommand.of(on(ExecutionIsolationStrategy.THREAD), () -> "answer");

    assertThat(command.toObservable().take(1).blockingFirst()).isEqualTo("answer");
    assertThat(command.getExecutionEvents()).containsExactly(SUCCESS);
  }

  private HystrixObservableCommand<String> items(
      Observable<String> items, List<HystrixEventType> seenByTheFallback) {
    return new HystrixObservableCommand<>(
        HystrixObservableCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("items"))
            .andCommandKey(HystrixCommandKey.Factory.asKey(key))) {
      @Override
      protected Observable<String> construct() {
        return items;
      }

      @Override
      protected Observable<String> resumeWithFallback() {
        seenByTheFallback.addAll(getExecutionEvents());
        return Observable.just(getNumberEmissions() + " came");
      }
    };
  }

  @Test
  void fallback_ofAStream_knowsHowManyCame() {
    List<HystrixEventType> seen = new ArrayList<>();
    HystrixObservableCommand<String> command =
        items(
            Observable.just("a", "b")
                .concatWith(Observable.error(new IllegalStateException("broken"))),
            seen);

    assertThat(command.toObservable().toList().blockingGet()).containsExactly("a", "b", "2 came");
    assertThat(seen).containsExactly(EMIT, FAILURE);
    assertThat(command.getExecutionEvents())
        .containsExactly(EMIT, FAILURE, FALLBACK_EMIT, FALLBACK_SUCCESS);
    assertThat(command.getNumberEmissions()).isEqualTo(2);
    assertThat(command.getNumberFallbackEmissions()).isOne();
  }

  @Test
  void stream_thatIsGivenUp_knowsHowManyCame() {
    HystrixObservableCommand<String> command =
        items(Observable.just("a").concatWith(Observable.never()), new ArrayList<>());

    assertThat(command.toObservable().blockingFirst()).isEqualTo("a");

    assertThat(command.getExecutionEvents()).containsExactly(EMIT, CANCELLED);
    assertThat(command.getNumberEmissions()).isOne();
    assertThat(command.isExecutionComplete()).isFalse();
  }

  @Test
  void batch_ofAllOfTheProcess_isAtTheRequestOfItsFirstCall() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      HystrixCollapser<String, String, String> collapser =
          new HystrixCollapser<>(
              HystrixCollapser.Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey(key))
                  .andScope(HystrixCollapser.Scope.GLOBAL)) {
            @Override
            public String getRequestArgument() {
              return "one";
            }

            @Override
            protected HystrixCommand<String> createCommand(
                java.util.Collection<CollapsedRequest<String, String>> requests) {
              return TestCommand.of(
                  TestCommand.setter(
                      key + " batch", TestCommand.settings(ExecutionIsolationStrategy.THREAD)),
                  () -> "answer");
            }

            @Override
            protected void mapResponseToRequests(
                String answer, java.util.Collection<CollapsedRequest<String, String>> requests) {
              requests.forEach(one -> one.setResponse(answer));
            }
          };

      assertThat(collapser.execute()).isEqualTo("answer");

      assertThat(HystrixRequestLog.getCurrentRequest().getExecutedCommandsAsString())
          .startsWith(key + " batch[SUCCESS, COLLAPSED]");
    }
  }
}
