// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.SEMAPHORE;
import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.THREAD;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.TestObserver;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The steps a hook hears of, in order, and what it may change. */
@ExtendWith(FreshHystrix.class)
class HookTest {

  private final String key = TestCommand.newKey();
  private final Steps steps = new Steps();

  /** Notes each step. */
  private static class Steps extends HystrixCommandExecutionHook {

    final List<String> heard = new CopyOnWriteArrayList<>();

    List<String> takeHeard() {
      List<String> taken = List.copyOf(heard);
      heard.clear();
      return taken;
    }

    @Override
    public <T> void onStart(HystrixInvokable<T> commandInstance) {
      heard.add("start");
    }

    @Override
    public <T> T onEmit(HystrixInvokable<T> commandInstance, T value) {
      heard.add("emit " + value);
      return value;
    }

    @Override
    public <T> Exception onError(
        HystrixInvokable<T> commandInstance, FailureType failureType, Exception e) {
      heard.add("error " + failureType);
      return e;
    }

    @Override
    public <T> void onSuccess(HystrixInvokable<T> commandInstance) {
      heard.add("success");
    }

    @Override
    public <T> void onThreadStart(HystrixInvokable<T> commandInstance) {
      heard.add("thread start");
    }

    @Override
    public <T> void onThreadComplete(HystrixInvokable<T> commandInstance) {
      heard.add("thread complete");
    }

    @Override
    public <T> void onExecutionStart(HystrixInvokable<T> commandInstance) {
      heard.add("execution start");
    }

    @Override
    public <T> T onExecutionEmit(HystrixInvokable<T> commandInstance, T value) {
      heard.add("execution emit " + value);
      return value;
    }

    @Override
    public <T> Exception onExecutionError(HystrixInvokable<T> commandInstance, Exception e) {
      heard.add("execution error " + e.getMessage());
      return e;
    }

    @Override
    public <T> void onExecutionSuccess(HystrixInvokable<T> commandInstance) {
      heard.add("execution success");
    }

    @Override
    public <T> void onFallbackStart(HystrixInvokable<T> commandInstance) {
      heard.add("fallback start");
    }

    @Override
    public <T> T onFallbackEmit(HystrixInvokable<T> commandInstance, T value) {
      heard.add("fallback emit " + value);
      return value;
    }

    @Override
    public <T> Exception onFallbackError(HystrixInvokable<T> commandInstance, Exception e) {
      heard.add("fallback error " + e.getMessage());
      return e;
    }

    @Override
    public <T> void onFallbackSuccess(HystrixInvokable<T> commandInstance) {
      heard.add("fallback success");
    }

    @Override
    public <T> void onCacheHit(HystrixInvokable<T> commandInstance) {
      heard.add("cache hit");
    }

    @Override
    public <T> void onUnsubscribe(HystrixInvokable<T> commandInstance) {
      heard.add("unsubscribe");
    }
  }

  private HystrixCommand.Setter on(ExecutionIsolationStrategy strategy) {
    return TestCommand.setter(key, TestCommand.settings(strategy));
  }

  private static String fails() {
    throw new IllegalStateException("down");
  }

  private static void register(HystrixCommandExecutionHook hook) {
    HystrixPlugins.getInstance().registerCommandExecutionHook(hook);
  }

  @Test
  void answer_onAPool_hasAllSteps() throws Exception {
    register(steps);

    assertThat(TestCommand.of(on(THREAD), () -> "a").execute()).isEqualTo("a");

    List<String> expected =
        List.of(
            "start",
            "thread start",
            "execution start",
            "execution emit a",
            "emit a",
            "execution success",
            "thread complete",
            "success");
    assertThat(steps.takeHeard()).isEqualTo(expected);
    assertThat(TestCommand.of(on(THREAD), () -> "a").queue().get()).isEqualTo("a");
    await().until(() -> steps.heard.contains("success")); // the future may be done before
    assertThat(steps.takeHeard()).isEqualTo(expected);
    assertThat(TestCommand.of(on(THREAD), () -> "a").toObservable().blockingSingle())
        .isEqualTo("a");
    assertThat(steps.takeHeard()).isEqualTo(expected);
  }

  @Test
  void answer_onASemaphore_hasNoThread() {
    register(steps);

    TestCommand.of(on(SEMAPHORE), () -> "a").execute();

    assertThat(steps.heard)
        .containsExactly(
            "start",
            "execution start",
            "execution emit a",
            "emit a",
            "execution success",
            "success");
  }

  @Test
  void items_ofAnObservable_areEmittedOneByOne() {
    register(steps);

    List<String> items =
        items(Observable.just("a", "b"), THREAD).toObservable().toList().blockingGet();

    assertThat(items).containsExactly("a", "b");
    assertThat(steps.heard)
        .containsExactly(
            "start",
            "thread start",
            "execution start",
            "execution emit a",
            "emit a",
            "execution emit b",
            "emit b",
            "execution success",
            "thread complete",
            "success");
  }

  @Test
  void items_thatEndInAnError_goOnWithTheFallbacks() {
    register(steps);

    List<String> items =
        items(
                Observable.just("a")
                    .concatWith(Observable.error(new IllegalStateException("down"))),
                SEMAPHORE)
            .toObservable()
            .toList()
            .blockingGet();

    assertThat(items).containsExactly("a", "z");
    assertThat(steps.heard)
        .containsExactly(
            "start",
            "execution start",
            "execution emit a",
            "emit a",
            "execution error down",
            "fallback start",
            "fallback emit z",
            "emit z",
            "fallback success",
            "success");
  }

  private HystrixObservableCommand<String> items(
      Observable<String> items, ExecutionIsolationStrategy strategy) {
    return new HystrixObservableCommand<>(
        HystrixObservableCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("items"))
            .andCommandKey(HystrixCommandKey.Factory.asKey(key))
            .andCommandPropertiesDefaults(TestCommand.settings(strategy))) {
      @Override
      protected Observable<String> construct() {
        return items;
      }

      @Override
      protected Observable<String> resumeWithFallback() {
        return Observable.just("z");
      }
    };
  }

  @Test
  void failure_withoutAFallback_endsInAnError() {
    register(steps);

    assertThatThrownBy(TestCommand.of(on(THREAD), HookTest::fails)::execute)
        .isInstanceOf(HystrixRuntimeException.class);

    assertThat(steps.heard)
        .containsExactly(
            "start",
            "thread start",
            "execution start",
            "execution error down",
            "thread complete",
            "error COMMAND_EXCEPTION");
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void failure_withAFallback_hasItsSteps(ExecutionIsolationStrategy strategy) {
    register(steps);

    assertThat(TestCommand.of(on(strategy), HookTest::fails, () -> "b").execute()).isEqualTo("b");

    assertThat(steps.heard)
        .filteredOn(step -> !step.startsWith("thread"))
        .containsExactly(
            "start",
            "execution start",
            "execution error down",
            "fallback start",
            "fallback emit b",
            "emit b",
            "fallback success",
            "success");
  }

  @Test
  void failure_ofTheFallback_endsInTheFirstError() {
    register(steps);

    assertThatThrownBy(
            TestCommand.of(
                    on(SEMAPHORE),
                    HookTest::fails,
                    () -> {
                      throw new IllegalStateException("mirror down");
                    })
                ::execute)
        .hasRootCauseMessage("down");

    assertThat(steps.heard)
        .containsExactly(
            "start",
            "execution start",
            "execution error down",
            "fallback start",
            "fallback error mirror down",
            "error COMMAND_EXCEPTION");
  }

  @Test
  void badRequest_always_asksNoFallback() {
    register(steps);

    assertThatThrownBy(
            TestCommand.of(
                    on(SEMAPHORE),
                    () -> {
                      throw new HystrixBadRequestException("wrong");
                    },
                    () -> "never")
                ::execute)
        .isInstanceOf(HystrixBadRequestException.class);

    assertThat(steps.heard)
        .containsExactly(
            "start", "execution start", "execution error wrong", "error BAD_REQUEST_EXCEPTION");
  }

  /**
   * As work that sees its interrupt when its call has been answered. Before that it would race the
   * time-out for the end of the thread, which the hook hears of once.
   */
  private static void awaitLate(CountDownLatch over) throws InterruptedException {
    boolean interrupted = false;
    while (over.getCount() > 0) {
      try {
        over.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      throw new InterruptedException();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void timeout_always_saysNothingOfTheLateWork(ExecutionIsolationStrategy strategy)
      throws Exception {
    register(steps);
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    ManualTime time = new ManualTime();
    Tenrec tenrec = TestCommand.livesBy(time);
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(strategy)
                    .withExecutionTimeoutInMilliseconds(30)
                    .withExecutionIsolationThreadInterruptOnTimeout(true)),
            () -> {
              try {
                time.advanceMillis(100); // longer than the time-out
                if (strategy == THREAD) {
                  awaitLate(over);
                }
              } finally {
                late.countDown();
              }
              return "late";
            },
            () -> "b");

    assertThat(command.execute()).isEqualTo("b");
    over.countDown();
    assertThat(late.await(PatientWaits.seconds(), SECONDS)).isTrue();

    assertThat(steps.heard)
        .filteredOn(step -> strategy == THREAD || !step.startsWith("thread"))
        .containsExactlyElementsOf(
            strategy == THREAD
                ? List.of(
                    "start",
                    "thread start",
                    "execution start",
                    "thread complete",
                    "fallback start",
                    "fallback emit b",
                    "emit b",
                    "fallback success",
                    "success")
                : List.of(
                    "start",
                    "execution start",
                    "fallback start",
                    "fallback emit b",
                    "emit b",
                    "fallback success",
                    "success"));
    tenrec.close();
  }

  @Test
  void refusal_always_beginsNoWork() {
    register(steps);
    HystrixCommand.Setter open =
        TestCommand.setter(key, TestCommand.settings(THREAD).withCircuitBreakerForceOpen(true));

    assertThat(TestCommand.of(open, () -> "never", () -> "b").execute()).isEqualTo("b");
    assertThat(steps.takeHeard())
        .containsExactly(
            "start", "fallback start", "fallback emit b", "emit b", "fallback success", "success");

    assertThatThrownBy(TestCommand.of(open, () -> "never")::execute)
        .isInstanceOf(HystrixRuntimeException.class);
    assertThat(steps.heard).containsExactly("start", "error SHORTCIRCUIT");
  }

  @Test
  void cancellation_always_isHeardBeforeTheThreadsEnd() throws Exception {
    register(steps);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Disposable execution =
        TestCommand.of(
                on(THREAD),
                () -> {
                  begun.countDown();
                  over.await();
                  return "late";
                },
                () -> "never")
            .toObservable()
            .subscribe();
    begun.await();

    execution.dispose();
    over.countDown();

    await().until(() -> steps.heard.contains("thread complete"));
    assertThat(steps.heard)
        .containsExactly(
            "start", "thread start", "execution start", "unsubscribe", "thread complete");
  }

  private HystrixCommand<String> cached() {
    return new HystrixCommand<>(on(SEMAPHORE)) {
      @Override
      protected String run() {
        return "a";
      }

      @Override
      protected String getCacheKey() {
        return "one";
      }
    };
  }

  /** As where another thread disposes, once the execution has begun. */
  @Test
  void cancellation_onTheWayToTheEngine_isHeardAfterTheStart() {
    register(steps);
    TestObserver<String> unwanted = new TestObserver<>();
    HystrixCommand<String> command =
        new HystrixCommand<>(on(THREAD)) {
          @Override
          protected String run() {
            return "unwanted";
          }

          @Override
          protected String getCacheKey() {
            unwanted.dispose();
            return null;
          }
        };

    command.toObservable().subscribe(unwanted);

    assertThat(command.getExecutionEvents()).containsExactly(HystrixEventType.CANCELLED);
    assertThat(steps.heard).startsWith("start", "unsubscribe");
  }

  @Test
  void cancellation_whileTheHookHearsOfTheStart_isHeardOnceAndAfterIt() {
    TestObserver<String> unwanted = new TestObserver<>();
    Steps disposing =
        new Steps() {
          @Override
          public <T> void onStart(HystrixInvokable<T> commandInstance) {
            unwanted.dispose();
            super.onStart(commandInstance);
          }
        };
    register(disposing);

    TestCommand.of(on(THREAD), () -> "unwanted").toObservable().subscribe(unwanted);

    assertThat(disposing.heard).startsWith("start", "unsubscribe").containsOnlyOnce("unsubscribe");
  }

  @Test
  void ending_toldByTwoThreads_isHeardOnce() {
    register(steps);
    HystrixCommand<String> command = TestCommand.of(on(THREAD), () -> "a");
    ExecutionPlugins plugins =
        Objects.requireNonNull(ExecutionPlugins.of(command, command.known(), false));
    ExecutionResult ending =
        new ExecutionResult(
            new ExecutionResult.EventCounts(EnumSet.of(HystrixEventType.CANCELLED), 0, 0, 0),
            -1,
            null,
            null,
            null,
            true);

    plugins.ended(ending);
    plugins.ended(ending);

    assertThat(steps.heard).containsExactly("unsubscribe");
  }

  @Test
  void cacheHit_always_isAllThatIsHeard() throws Exception {
    register(steps);
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(cached().execute()).isEqualTo("a");
      assertThat(steps.takeHeard()).contains("start", "success");

      assertThat(cached().execute()).isEqualTo("a");
      assertThat(cached().queue().get()).isEqualTo("a");
      assertThat(cached().toObservable().blockingSingle()).isEqualTo("a");

      assertThat(steps.heard).containsExactly("cache hit", "cache hit", "cache hit");
    }
  }

  // What a hook may change.

  @Test
  void emits_always_mayReplaceTheValue() {
    register(
        new HystrixCommandExecutionHook() {
          @Override
          @SuppressWarnings("unchecked")
          public <T> T onExecutionEmit(HystrixInvokable<T> commandInstance, T value) {
            return (T) (value + "1");
          }

          @Override
          @SuppressWarnings("unchecked")
          public <T> T onFallbackEmit(HystrixInvokable<T> commandInstance, T value) {
            return (T) (value + "2");
          }

          @Override
          @SuppressWarnings("unchecked")
          public <T> T onEmit(HystrixInvokable<T> commandInstance, T value) {
            return (T) (value + "3");
          }
        });

    assertThat(TestCommand.of(on(THREAD), () -> "a").execute()).isEqualTo("a13");
    assertThat(TestCommand.of(on(THREAD), HookTest::fails, () -> "b").execute()).isEqualTo("b23");
    assertThat(items(Observable.just("a", "b"), SEMAPHORE).toObservable().toList().blockingGet())
        .containsExactly("a13", "b13");
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(cached().execute()).isEqualTo("a13").isEqualTo(cached().execute());
    }
  }

  @Test
  void executionError_always_mayMakeItABadRequest() {
    register(
        new HystrixCommandExecutionHook() {
          @Override
          public <T> Exception onExecutionError(HystrixInvokable<T> commandInstance, Exception e) {
            return new HystrixBadRequestException("it was the caller", e);
          }
        });
    HystrixCommand<String> command = TestCommand.of(on(THREAD), HookTest::fails, () -> "never");

    assertThatThrownBy(command::execute)
        .isInstanceOf(HystrixBadRequestException.class)
        .hasMessage("it was the caller");
    assertThat(command.getExecutionEvents()).containsExactly(HystrixEventType.BAD_REQUEST);
    assertThat(command.getMetrics().getHealthCounts().getErrorCount()).isZero();
  }

  @Test
  void error_always_mayReplaceTheCauseButNoBadRequest() {
    register(
        new HystrixCommandExecutionHook() {
          @Override
          public <T> Exception onError(
              HystrixInvokable<T> commandInstance, FailureType failureType, Exception e) {
            return new IllegalArgumentException("instead", e);
          }
        });

    assertThatThrownBy(TestCommand.of(on(SEMAPHORE), HookTest::fails)::execute)
        .isInstanceOf(HystrixRuntimeException.class)
        .cause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("instead");
    assertThatThrownBy(
            TestCommand.of(
                    on(SEMAPHORE),
                    () -> {
                      throw new HystrixBadRequestException("wrong");
                    })
                ::execute)
        .isInstanceOf(HystrixBadRequestException.class)
        .hasMessage("wrong");
  }

  private HystrixCommand<String> cached(Callable<String> work) {
    return new HystrixCommand<>(on(SEMAPHORE)) {
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

  private static final class Translation extends HystrixCommandExecutionHook {

    private final List<FailureType> heard = new CopyOnWriteArrayList<>();
    private Runnable meanwhile = () -> {};

    @Override
    public <T> Exception onError(
        HystrixInvokable<T> commandInstance, FailureType failureType, Exception e) {
      heard.add(failureType);
      meanwhile.run();
      return new HystrixBadRequestException("translated", e);
    }
  }

  @Test
  void error_ofAnExecutionThatOthersShare_isReplacedOnceForAll() {
    Translation translation = new Translation();
    register(translation);
    Callable<String> bad =
        () -> {
          throw new HystrixBadRequestException("wrong");
        };
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Throwable first = catchThrowable(cached(bad)::execute);

      assertThat(first).isInstanceOf(HystrixBadRequestException.class).hasMessage("translated");
      assertThat(catchThrowable(cached(bad)::execute)).isSameAs(first);
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Throwable first = catchThrowable(cached(HookTest::fails)::execute);

      assertThat(first.getCause()).hasMessage("translated");
      assertThat(catchThrowable(cached(HookTest::fails)::execute).getCause())
          .isSameAs(first.getCause());
      cached(HookTest::fails)
          .toObservable()
          .test()
          .assertError(e -> e.getCause() == first.getCause());
    }
    assertThat(translation.heard)
        .containsExactly(FailureType.BAD_REQUEST_EXCEPTION, FailureType.COMMAND_EXCEPTION);
  }

  @Test
  void error_ofAHitsOwn_isNotReplaced() {
    Translation translation = new Translation();
    register(translation);
    AtomicReference<Throwable> refused = new AtomicReference<>();
    HystrixCommand<String> outer =
        cached(
            () -> {
              refused.set(catchThrowable(cached(HookTest::fails)::execute)); // it cannot wait
              return fails();
            });
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThatThrownBy(outer::execute).cause().hasMessage("translated");
    }

    assertThat(refused.get()).isNotNull();
    assertThat(refused.get().getMessage()).isNotEqualTo("translated");
    assertThat(translation.heard).containsExactly(FailureType.COMMAND_EXCEPTION);
  }

  @Test
  void error_whoseReplacementExecutesAnEqualOne_isAskedForOnce() {
    Translation translation = new Translation();
    register(translation);
    AtomicReference<Throwable> within = new AtomicReference<>();
    translation.meanwhile =
        () -> within.set(catchThrowable(cached(HookTest::fails)::execute).getCause());
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThatThrownBy(cached(HookTest::fails)::execute).cause().hasMessage("translated");
    }

    assertThat(within.get()).hasMessage("down");
    assertThat(translation.heard).containsExactly(FailureType.COMMAND_EXCEPTION);
  }

  // What a hook throws.

  @Test
  void start_thatThrows_endsTheExecution() throws Exception {
    register(
        new HystrixCommandExecutionHook() {
          @Override
          public <T> void onStart(HystrixInvokable<T> commandInstance) {
            throw new IllegalStateException("not now");
          }
        });
    HystrixCommand<String> command = TestCommand.of(on(THREAD), () -> "never", () -> "never");

    assertThatThrownBy(command::execute)
        .isInstanceOfSatisfying(
            HystrixRuntimeException.class,
            failure ->
                assertThat(failure.getFailureType()).isEqualTo(FailureType.COMMAND_EXCEPTION))
        .hasRootCauseMessage("not now");
    assertThat(command.getExecutionEvents()).isEmpty();
    Future<String> future = TestCommand.of(on(THREAD), () -> "never", () -> "never").queue();
    assertThatThrownBy(future::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .hasMessage("not now");
    TestCommand.of(on(THREAD), () -> "never", () -> "never")
        .toObservable()
        .test()
        .assertError(IllegalStateException.class);
    items(Observable.just("never"), SEMAPHORE)
        .toObservable()
        .test()
        .assertError(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void executionStart_thatThrows_isAFailureOfTheWork(ExecutionIsolationStrategy strategy) {
    Steps broken =
        new Steps() {
          @Override
          public <T> void onExecutionStart(HystrixInvokable<T> commandInstance) {
            throw new IllegalStateException("not here");
          }
        };
    register(broken);
    boolean[] ran = new boolean[1];
    HystrixCommand<String> command =
        TestCommand.of(
            on(strategy),
            () -> {
              ran[0] = true;
              return "never";
            },
            () -> "b");

    assertThat(command.execute()).isEqualTo("b");
    assertThat(ran[0]).isFalse();
    assertThat(command.getFailedExecutionException()).hasMessage("not here");
    assertThat(broken.heard.stream().filter(step -> step.startsWith("thread")).toList())
        .isEqualTo(strategy == THREAD ? List.of("thread start", "thread complete") : List.of());
    await().until(() -> command.getMetrics().getCurrentConcurrentExecutionCount() == 0);
  }

  /**
   * As in Hystrix: the hook hears of the success before a thread gets the answer. The work ends
   * when the future is there, or else the thread that queues it would be the one that tells the
   * hook, which waits for the future.
   */
  @Test
  void answerOfAFuture_isThereOnceTheHookHasHeardOfIt() throws Exception {
    CompletableFuture<Future<String>> queued = new CompletableFuture<>();
    CompletableFuture<Throwable> beforeTheHookReturns = new CompletableFuture<>();
    CompletableFuture<String> withinTheHook = new CompletableFuture<>();
    register(
        new HystrixCommandExecutionHook() {
          @Override
          public <T> void onSuccess(HystrixInvokable<T> commandInstance) {
            Future<String> future = queued.join(); // it is there
            Thread another =
                new Thread(
                    () ->
                        beforeTheHookReturns.complete(
                            catchThrowable(() -> future.get(0, MILLISECONDS))));
            another.start();
            assertDoesNotThrow(() -> another.join(PatientWaits.patience().toMillis()));
            withinTheHook.complete(assertDoesNotThrow(() -> future.get()));
          }
        });

    HystrixCommandProperties.Setter patient =
        TestCommand.settings(THREAD).withExecutionTimeoutEnabled(false);
    queued.complete(
        TestCommand.of(
                TestCommand.setter(key, patient),
                () -> {
                  Future<String> unused = queued.get(PatientWaits.seconds(), SECONDS);
                  return "a";
                })
            .queue());

    assertThat(beforeTheHookReturns)
        .succeedsWithin(PatientWaits.patience())
        .isInstanceOf(TimeoutException.class);
    assertThat(withinTheHook).succeedsWithin(PatientWaits.patience()).isEqualTo("a");
    Future<String> future = queued.join();
    assertThat(future.get(PatientWaits.seconds(), SECONDS)).isEqualTo("a");
    assertThat(future.get()).isEqualTo("a");
    assertThat(future.get(-1, MILLISECONDS)).isEqualTo("a");
  }

  @Test
  void fallbackStart_thatThrows_isAFailureOfTheFallback() {
    register(
        new HystrixCommandExecutionHook() {
          @Override
          public <T> void onFallbackStart(HystrixInvokable<T> commandInstance) {
            throw new IllegalStateException("not there");
          }
        });
    HystrixCommand<String> command = TestCommand.of(on(SEMAPHORE), HookTest::fails, () -> "never");

    assertThatThrownBy(command::execute)
        .isInstanceOfSatisfying(
            HystrixRuntimeException.class,
            failure -> assertThat(failure.getFallbackException()).hasMessage("not there"));
    assertThat(command.getExecutionEvents())
        .containsExactly(HystrixEventType.FAILURE, HystrixEventType.FALLBACK_FAILURE);
  }

  @Test
  void otherSteps_thatThrow_changeNothing() {
    register(
        new HystrixCommandExecutionHook() {
          @Override
          public <T> T onExecutionEmit(HystrixInvokable<T> commandInstance, T value) {
            throw new IllegalStateException("broken");
          }

          @Override
          public <T> T onEmit(HystrixInvokable<T> commandInstance, T value) {
            throw new IllegalStateException("broken");
          }

          @Override
          public <T> void onExecutionSuccess(HystrixInvokable<T> commandInstance) {
            throw new IllegalStateException("broken");
          }

          @Override
          public <T> void onThreadComplete(HystrixInvokable<T> commandInstance) {
            throw new IllegalStateException("broken");
          }

          @Override
          public <T> void onSuccess(HystrixInvokable<T> commandInstance) {
            throw new IllegalStateException("broken");
          }
        });

    assertThat(TestCommand.of(on(THREAD), () -> "a").execute()).isEqualTo("a");
  }

  /** As of a hook that was compiled against other classes, or is of a language without checks. */
  @Test
  void otherSteps_thatThrowAnErrorOrACheckedException_changeNothing() {
    register(
        new HystrixCommandExecutionHook() {
          @Override
          public <T> T onExecutionEmit(HystrixInvokable<T> commandInstance, T value) {
            throw Failures.thrown(new IOException("broken"));
          }

          @Override
          public <T> T onEmit(HystrixInvokable<T> commandInstance, T value) {
            throw new NoSuchMethodError("broken");
          }

          @Override
          public <T> void onThreadComplete(HystrixInvokable<T> commandInstance) {
            throw new NoSuchMethodError("broken");
          }

          @Override
          public <T> void onSuccess(HystrixInvokable<T> commandInstance) {
            throw new NoSuchMethodError("broken");
          }

          @Override
          public <T> Exception onExecutionError(HystrixInvokable<T> commandInstance, Exception e) {
            throw new NoSuchMethodError("broken");
          }

          @Override
          public <T> Exception onError(
              HystrixInvokable<T> commandInstance, FailureType failureType, Exception e) {
            throw Failures.thrown(new IOException("broken"));
          }
        });

    assertThat(TestCommand.of(on(THREAD), () -> "a").execute()).isEqualTo("a");
    TestCommand.of(on(THREAD), () -> "a")
        .toObservable()
        .test()
        .awaitDone(PatientWaits.patience().toMillis(), MILLISECONDS)
        .assertResult("a");
    HystrixCommand<String> failing = TestCommand.of(on(THREAD), HookTest::fails);
    assertThatThrownBy(failing::execute)
        .isInstanceOf(HystrixRuntimeException.class)
        .cause()
        .hasMessage("down");
    assertThat(failing.isExecutionComplete()).isTrue();
  }

  /** Notes the steps that Hystrix deprecated, too. */
  @SuppressWarnings("deprecation") // what this is about
  private static final class OldSteps extends Steps {

    @Override
    public <T> void onStart(HystrixCommand<T> commandInstance) {
      heard.add("!start");
    }

    @Override
    public <T> void onThreadStart(HystrixCommand<T> commandInstance) {
      heard.add("!thread start");
    }

    @Override
    public <T> void onThreadComplete(HystrixCommand<T> commandInstance) {
      heard.add("!thread complete");
    }

    @Override
    public <T> void onRunStart(HystrixCommand<T> commandInstance) {
      heard.add("!!run start");
    }

    @Override
    public <T> void onRunStart(HystrixInvokable<T> commandInstance) {
      heard.add("!run start");
    }

    @Override
    public <T> T onRunSuccess(HystrixCommand<T> commandInstance, T value) {
      heard.add("!!run success " + value);
      return also(value, "1");
    }

    @Override
    public <T> T onRunSuccess(HystrixInvokable<T> commandInstance, T value) {
      heard.add("!run success " + value);
      return also(value, "2");
    }

    @Override
    public <T> Exception onRunError(HystrixCommand<T> commandInstance, Exception e) {
      heard.add("!!run error " + e.getMessage());
      return new IllegalStateException(e.getMessage() + "1");
    }

    @Override
    public <T> Exception onRunError(HystrixInvokable<T> commandInstance, Exception e) {
      heard.add("!run error " + e.getMessage());
      return new IllegalStateException(e.getMessage() + "2");
    }

    @Override
    public <T> void onFallbackStart(HystrixCommand<T> commandInstance) {
      heard.add("!fallback start");
    }

    @Override
    public <T> T onFallbackSuccess(HystrixCommand<T> commandInstance, T fallbackResponse) {
      heard.add("!!fallback value " + fallbackResponse);
      return also(fallbackResponse, "1");
    }

    @Override
    public <T> T onFallbackSuccess(HystrixInvokable<T> commandInstance, T fallbackResponse) {
      heard.add("!fallback value " + fallbackResponse);
      return also(fallbackResponse, "2");
    }

    @Override
    public <T> Exception onFallbackError(HystrixCommand<T> commandInstance, Exception e) {
      heard.add("!fallback error " + e.getMessage());
      return e;
    }

    @Override
    public <T> T onComplete(HystrixCommand<T> commandInstance, T response) {
      heard.add("!!complete " + response);
      return also(response, "3");
    }

    @Override
    public <T> T onComplete(HystrixInvokable<T> commandInstance, T response) {
      heard.add("!complete " + response);
      return also(response, "4");
    }

    @Override
    public <T> Exception onError(
        HystrixCommand<T> commandInstance, FailureType failureType, Exception e) {
      heard.add("!error " + failureType);
      return e;
    }

    @SuppressWarnings("unchecked") // all commands here bring strings
    private static <T> T also(T value, String text) {
      return (T) (value + text);
    }
  }

  private List<String> registerOld() {
    OldSteps old = new OldSteps();
    register(old);
    return old.heard;
  }

  @Test
  void deprecatedSteps_ofAnAnswer_areHeardBesideTheirSuccessors() {
    List<String> heard = registerOld();

    assertThat(TestCommand.of(on(THREAD), () -> "a").execute()).isEqualTo("a1234");

    assertThat(heard)
        .containsExactly(
            "!start",
            "start",
            "!thread start",
            "thread start",
            "!!run start",
            "!run start",
            "execution start",
            "execution emit a",
            "!!run success a",
            "!run success a1",
            "!!complete a12",
            "!complete a123",
            "emit a1234",
            "execution success",
            "!thread complete",
            "thread complete",
            "success");
  }

  @Test
  void deprecatedSteps_ofAFallback_areHeardBesideTheirSuccessors() {
    List<String> heard = registerOld();

    assertThat(TestCommand.of(on(SEMAPHORE), HookTest::fails, () -> "b").execute())
        .isEqualTo("b1234");

    assertThat(heard)
        .containsExactly(
            "!start",
            "start",
            "!!run start",
            "!run start",
            "execution start",
            "execution error down",
            "!!run error down",
            "!run error down1",
            "!fallback start",
            "fallback start",
            "fallback emit b",
            "!!fallback value b",
            "!fallback value b1",
            "!!complete b12",
            "!complete b123",
            "emit b1234",
            "fallback success",
            "success");
  }

  @Test
  void deprecatedSteps_ofAFallbackThatFails_areHeardBesideTheirSuccessors() {
    List<String> heard = registerOld();

    assertThatThrownBy(
            TestCommand.of(
                    on(SEMAPHORE),
                    HookTest::fails,
                    () -> {
                      throw new IllegalStateException("mirror down");
                    })
                ::execute)
        .hasRootCauseMessage("down12");

    assertThat(heard)
        .endsWith(
            "!fallback start",
            "fallback start",
            "!fallback error mirror down",
            "fallback error mirror down",
            "!error COMMAND_EXCEPTION",
            "error COMMAND_EXCEPTION");
  }

  @Test
  void deprecatedSteps_ofAnObservableCommand_areThoseOfAnyCommand() {
    List<String> heard = registerOld();

    assertThat(items(Observable.just("a"), SEMAPHORE).toObservable().blockingSingle())
        .isEqualTo("a24");

    assertThat(heard)
        .containsExactly(
            "start",
            "!run start",
            "execution start",
            "execution emit a",
            "!run success a",
            "!complete a2",
            "emit a24",
            "execution success",
            "success");
  }
}
