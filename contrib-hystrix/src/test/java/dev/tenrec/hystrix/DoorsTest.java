// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.concurrency.HystrixContextCallable;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestVariableDefault;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.TestObserver;
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
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the doors promise besides the ending: laziness, threads, requests, cancelling, settings. */
@ExtendWith(FreshHystrix.class)
class DoorsTest {

  private final String key = TestCommand.newKey();

  private HystrixCommand<String> command(Callable<String> work) {
    return TestCommand.of(
        TestCommand.setter(key, TestCommand.settings(ExecutionIsolationStrategy.THREAD)), work);
  }

  private HystrixCommand<String> cached(Callable<String> work) {
    return new HystrixCommand<>(
        TestCommand.setter(key, TestCommand.settings(ExecutionIsolationStrategy.THREAD))) {
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
  void toObservable_untilItIsSubscribedTo_runsNothing() {
    AtomicInteger runs = new AtomicInteger();
    HystrixCommand<String> command = command(() -> "run " + runs.incrementAndGet());

    Observable<String> cold = command.toObservable();
    assertThat(runs).hasValue(0);

    assertThat(cold.blockingSingle()).isEqualTo("run 1");
    cold.test().assertError(thrown -> thrown.getCause() instanceof IllegalStateException);
    assertThat(runs).hasValue(1);
  }

  @Test
  void observe_always_runsOnceForAllSubscribers() {
    AtomicInteger runs = new AtomicInteger();
    Observable<String> hot = command(() -> "run " + runs.incrementAndGet()).observe();

    await().until(() -> runs.get() == 1);
    assertThat(hot.blockingSingle()).isEqualTo("run 1");
    assertThat(hot.blockingSingle()).isEqualTo("run 1");
  }

  @Test
  void observe_onAPool_callsBackOnItsThread() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicReference<String> thread = new AtomicReference<>();
    Observable<String> hot =
        command(
                () -> {
                  go.await();
                  return "answer";
                })
            .observe();
    TestObserver<String> observer =
        hot.doOnNext(item -> thread.set(Thread.currentThread().getName())).test();
    go.countDown();

    observer.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertValue("answer");
    assertThat(thread.get()).startsWith("hystrix-");
  }

  @Test
  void toObservable_ofANullAnswer_isEmpty() {
    command(() -> null).toObservable().blockingSubscribe();
    assertThat(command(() -> null).toObservable().isEmpty().blockingGet()).isTrue();
    assertThat(command(() -> null).execute()).isNull();
  }

  @Test
  void request_always_isSeenByWorkFallbackAndObservers() {
    HystrixRequestVariableDefault<String> user = new HystrixRequestVariableDefault<>();
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      user.set("Ada");
      List<String> seen = java.util.Collections.synchronizedList(new ArrayList<>());
      TestCommand.of(
              TestCommand.setter(key, TestCommand.settings(ExecutionIsolationStrategy.THREAD)),
              () -> {
                seen.add("work " + user.get());
                throw new IllegalStateException("fails");
              },
              () -> "fallback " + user.get())
          .toObservable()
          .doOnNext(item -> seen.add(item + ", observer " + user.get()))
          .blockingSubscribe();

      assertThat(seen).containsExactly("work Ada", "fallback Ada, observer Ada");
    }
    assertThat(HystrixRequestContext.isCurrentThreadInitialized()).isFalse();
    assertThatThrownBy(user::get).isInstanceOf(IllegalStateException.class);
  }

  private static HystrixRequestVariableDefault<String> variable(Consumer<String> shutdown) {
    return new HystrixRequestVariableDefault<>() {
      @Override
      public String initialValue() {
        return "made";
      }

      @Override
      public void shutdown(String value) {
        shutdown.accept(value);
      }
    };
  }

  @Test
  void requestVariable_madeWhileItsRequestEnds_isShutDownOnce() {
    List<String> ended = new ArrayList<>();
    List<HystrixRequestVariableDefault<String>> late =
        IntStream.range(0, 64).mapToObj(i -> variable(ended::add)).toList();
    HystrixRequestVariableDefault<String> first =
        variable(
            value -> {
              for (HystrixRequestVariableDefault<String> one : late) {
                assertThat(one.get()).isEqualTo("made");
              }
            });
    HystrixRequestContext request = HystrixRequestContext.initializeContext();
    assertThat(first.get()).isEqualTo("made");

    request.shutdown();

    assertThat(ended).hasSize(late.size());
  }

  @Test
  void requestVariable_atTheEnd_isShutDownOnce() {
    List<String> ended = new ArrayList<>();
    HystrixRequestVariableDefault<String> variable = variable(ended::add);
    HystrixRequestContext request = HystrixRequestContext.initializeContext();
    assertThat(variable.get()).isEqualTo("made");

    request.shutdown();
    request.shutdown();

    assertThat(ended).containsExactly("made");
  }

  @Test
  void contextCallable_always_isAtTheRequestItWasMadeAt() throws Exception {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Callable<HystrixRequestContext> task =
          new HystrixContextCallable<>(HystrixRequestContext::getContextForCurrentThread);
      HystrixRequestContext.setContextOnCurrentThread(null);

      assertThat(task.call()).isSameAs(request);
      assertThat(HystrixRequestContext.isCurrentThreadInitialized()).isFalse();
    }
  }

  @Test
  void currentCommand_always_isTheInnermost() {
    HystrixCommand<String> outer =
        command(
            () -> {
              String inner =
                  TestCommand.of(
                          TestCommand.setter(
                              "inner", TestCommand.settings(ExecutionIsolationStrategy.SEMAPHORE)),
                          () -> Hystrix.getCurrentThreadExecutingCommand().name())
                      .execute();
              return inner + " in " + Hystrix.getCurrentThreadExecutingCommand().name();
            });

    assertThat(outer.execute()).isEqualTo("inner in " + key);
    assertThat(Hystrix.getCurrentThreadExecutingCommand()).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cancel_duringTheWork_interruptsItIfTheSettingSaysSo(boolean interrupts) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(ExecutionIsolationStrategy.THREAD)
                    .withExecutionIsolationThreadInterruptOnFutureCancel(interrupts)),
            () -> {
              begun.countDown();
              try {
                over.await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
              return "never";
            });
    Future<String> future = command.queue();
    begun.await();

    assertThat(future.cancel(true)).isTrue();
    assertThat(future.cancel(true)).isFalse();

    assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
    assertThat(command.getExecutionEvents()).containsExactly(HystrixEventType.CANCELLED);
    assertThat(command.isExecutionComplete()).isFalse();
    await().until(() -> command.getMetrics().getCurrentConcurrentExecutionCount() == 0);
    if (interrupts) {
      await().untilTrue(interrupted);
    } else {
      assertThat(interrupted).isFalse();
    }
    over.countDown();
  }

  @Test
  void dispose_duringTheWork_isACancellation() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    HystrixCommand<String> command =
        command(
            () -> {
              begun.countDown();
              over.await();
              return "never";
            });
    Disposable subscription = command.observe().subscribe();
    begun.await();

    subscription.dispose();

    assertThat(command.getExecutionEvents()).containsExactly(HystrixEventType.CANCELLED);
    assertThat(command.isExecutionComplete()).isFalse();
    assertThat(command.getExecutionException()).isNull();
    assertThat(command.getExecutionTimeInMilliseconds()).isNotNegative();
    over.countDown();
  }

  @Test
  void cacheHit_whenEitherIsCancelled_leavesTheOther() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Callable<String> work =
          () -> {
            over.await();
            return "answer";
          };
      HystrixCommand<String> original = cached(work);
      HystrixCommand<String> hit = cached(work);
      HystrixCommand<String> cancelledHit = cached(work);
      Future<String> first = original.queue();
      Future<String> second = hit.queue();
      Future<String> third = cancelledHit.queue();

      third.cancel(true);
      first.cancel(true);
      over.countDown();

      assertThat(second.get()).isEqualTo("answer");
      assertThat(original.getExecutionEvents()).containsExactly(HystrixEventType.CANCELLED);
      assertThat(hit.getExecutionEvents())
          .containsExactly(HystrixEventType.SUCCESS, HystrixEventType.RESPONSE_FROM_CACHE);
      assertThat(cancelledHit.getExecutionEvents())
          .containsExactly(HystrixEventType.RESPONSE_FROM_CACHE, HystrixEventType.CANCELLED);
    }
  }

  @Test
  void cacheHit_ofAFailure_isTheFailure() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Callable<String> work =
          () -> {
            throw new IllegalStateException("down");
          };
      HystrixCommand<String> hit = cached(work);
      assertThatThrownBy(() -> cached(work).execute()).hasRootCauseMessage("down");
      assertThatThrownBy(hit::execute).hasRootCauseMessage("down");
      assertThat(hit.getExecutionEvents())
          .containsExactly(
              HystrixEventType.FAILURE,
              HystrixEventType.FALLBACK_MISSING,
              HystrixEventType.RESPONSE_FROM_CACHE);
    }
  }

  @Test
  void reset_always_forgetsWhatWasSet() {
    HystrixCommand.Setter first =
        TestCommand.setter(
            key, new HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(40_000));
    HystrixCommand.Setter second =
        TestCommand.setter(
            key, new HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(50_000));
    HystrixCommand<String> before = TestCommand.of(first, () -> "answer");
    assertThat(before.getProperties().executionTimeoutInMilliseconds().get()).isEqualTo(40_000);
    assertThat(
            TestCommand.of(second, () -> "").getProperties().executionTimeoutInMilliseconds().get())
        .isEqualTo(40_000);

    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Hystrix.reset();
      assertThat(HystrixRequestContext.isCurrentThreadInitialized()).isTrue();
    }

    HystrixCommand<String> after = TestCommand.of(second, () -> "answer");
    assertThat(after.getProperties().executionTimeoutInMilliseconds().get()).isEqualTo(50_000);
    assertThat(before.execute()).isEqualTo("answer");
    assertThat(after.execute()).isEqualTo("answer");
  }

  @Test
  void property_always_isLiveAndBeatsTheSetter() {
    HystrixTenrec.set(HystrixTenrec.builder().build()); // its commands say their time-out
    HystrixCommand<String> command = command(() -> "answer");
    String name = "hystrix.command." + key + ".circuitBreaker.forceOpen";

    HystrixTenrec.get().set(name, "true");
    assertThat(command.getProperties().circuitBreakerForceOpen().get()).isTrue();
    assertThat(command.isCircuitBreakerOpen()).isTrue();

    HystrixTenrec.get().clear(name);
    assertThat(command.execute()).isEqualTo("answer");
    HystrixTenrec.get().close();
  }

  @Test
  void set_always_givesCommandsAnotherTenrec() {
    try (Tenrec mine = HystrixTenrec.builder().build()) {
      HystrixTenrec.set(mine);

      command(() -> "answer").execute();

      assertThat(mine.commands()).hasSize(1);
      HystrixTenrec.reset();
      assertThat(mine.commands()).isEmpty();
      assertThat(
              mine.command("Own", (String name) -> name)
                  .timeout(PatientWaits.patience())
                  .build()
                  .execute("still open"))
          .isEqualTo("still open");
    }
  }

  @Test
  void resetThatWaits_letsACallInFlightMakeItsCommands() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Future<String> outer =
        command(
                () -> {
                  begun.countDown();
                  await().until(() -> HystrixTenrec.knownIfAny() == null); // the reset waits
                  return TestCommand.of(
                          TestCommand.setter(
                              key + " inner",
                              TestCommand.settings(ExecutionIsolationStrategy.SEMAPHORE)),
                          () -> "inner")
                      .execute();
                })
            .queue();
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    Hystrix.reset(PatientWaits.seconds(), TimeUnit.SECONDS);

    assertThat(outer.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("inner");
  }

  @Test
  void setter_givenAZeroThatMeansNothing_saysWhatToWrite() {
    HystrixCommandProperties.Setter setter = HystrixCommandProperties.Setter();

    assertThatThrownBy(() -> setter.withExecutionTimeoutInMilliseconds(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("withExecutionTimeoutInMilliseconds(0)")
        .hasMessageContaining("withExecutionTimeoutEnabled(false)");
    assertThatThrownBy(() -> HystrixThreadPoolProperties.Setter().withCoreSize(0))
        .hasMessageContaining("withCircuitBreakerForceOpen(true)");
    assertThat(
            setter
                .withCircuitBreakerRequestVolumeThreshold(0)
                .getCircuitBreakerRequestVolumeThreshold())
        .isEqualTo(1);
  }

  @Test
  void constructor_withoutAGroup_isRefused() {
    assertThatThrownBy(
            () ->
                new HystrixCommand<String>((HystrixCommandGroupKey) null) {
                  @Override
                  protected String run() {
                    return "never";
                  }
                })
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void requestLog_always_mergesWhatWentAlike() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      for (int i = 0; i < 3; i++) {
        command(() -> "answer").execute();
      }
      assertThat(HystrixRequestLog.getCurrentRequest().getExecutedCommandsAsString())
          .matches(key + "\\[SUCCESS]\\[\\d+ms]x3");
    }
    assertThat(HystrixRequestLog.getCurrentRequest()).isNull();
  }
}
