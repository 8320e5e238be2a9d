// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategy;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategyDefault;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.eventnotifier.HystrixEventNotifier;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.TestObserver;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What plugins hear of the next execution with a cache key, when those before it were given up: the
 * engine runs it anew if all of them were, and has it share the run if one was not.
 */
@ExtendWith(FreshHystrix.class)
class GivenUpRunTest {

  private enum Way {
    DISPOSED,
    CANCELLED,
    INTERRUPTED
  }

  /** An execution that began, and how it is given up. */
  @FunctionalInterface
  private interface Begun {
    void giveUp() throws Exception;
  }

  private final String key = TestCommand.newKey();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private Runnable onHit = () -> {};
  private HystrixRequestContext request;

  @BeforeEach
  void begin() {
    HystrixPlugins.getInstance()
        .registerCommandExecutionHook(
            new HystrixCommandExecutionHook() {
              @Override
              public <T> void onStart(HystrixInvokable<T> command) {
                heard.add("start");
              }

              @Override
              public <T> void onCacheHit(HystrixInvokable<T> command) {
                heard.add("hit");
                onHit.run();
              }
            });
    HystrixPlugins.getInstance()
        .registerConcurrencyStrategy(
            new HystrixConcurrencyStrategy() {
              @Override
              public <T> Callable<T> wrapCallable(Callable<T> callable) {
                heard.add("wrapped");
                return HystrixConcurrencyStrategyDefault.getInstance().wrapCallable(callable);
              }
            });
    HystrixPlugins.getInstance()
        .registerEventNotifier(
            new HystrixEventNotifier() {
              @Override
              public void markEvent(HystrixEventType eventType, HystrixCommandKey of) {
                heard.add(eventType.name());
              }
            });
    request = HystrixRequestContext.initializeContext();
  }

  @AfterEach
  void end() {
    goOn.countDown();
    request.close();
  }

  private HystrixCommand<String> command(Callable<String> work) {
    return command(work, () -> {});
  }

  private HystrixCommand<String> command(Callable<String> work, Runnable onItsWay) {
    return new HystrixCommand<>(TestCommand.setter(key, TestCommand.settings(THREAD))) {
      @Override
      protected String run() throws Exception {
        return work.call();
      }

      @Override
      protected String getCacheKey() {
        onItsWay.run();
        return "one";
      }
    };
  }

  private HystrixCommand<String> held() {
    return command(
        () -> {
          running.countDown();
          goOn.await();
          return "held";
        });
  }

  private Begun begin(Way way, HystrixCommand<String> command) {
    switch (way) {
      case DISPOSED -> {
        Disposable subscription = command.toObservable().subscribe(item -> {}, error -> {});
        return subscription::dispose;
      }
      case CANCELLED -> {
        Future<String> future = command.queue();
        return () -> assertThat(future.cancel(true)).isTrue();
      }
      default -> {
        HystrixRequestContext here = request;
        FutureTask<Boolean> executed =
            new FutureTask<>(
                () -> {
                  HystrixRequestContext.setContextOnCurrentThread(here);
                  try {
                    command.execute();
                    return true;
                  } catch (RuntimeException interrupted) {
                    return false;
                  }
                });
        Thread caller = new Thread(executed, "caller");
        caller.start();
        return () -> {
          caller.interrupt();
          assertThat(executed.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isFalse();
        };
      }
    }
  }

  private void awaitWork() throws InterruptedException {
    assertThat(running.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void assertRunsAnew() {
    heard.clear();
    HystrixCommand<String> next = command(() -> "anew");
    assertThat(next.execute()).isEqualTo("anew");
    assertThat(next.isResponseFromCache()).isFalse();
    assertThat(heard).contains("start", "wrapped", "SUCCESS").doesNotContain("hit");
  }

  @ParameterizedTest
  @EnumSource
  void execution_afterTheOnlyOneWasGivenUp_isNoHit(Way way) throws Exception {
    Begun only = begin(way, held());
    awaitWork();
    only.giveUp();

    assertRunsAnew();
  }

  @ParameterizedTest
  @EnumSource
  void execution_afterOneWhoseWorkExecutedItselfWasGivenUp_isNoHit(Way way) throws Exception {
    HystrixCommand<String> nested = held();
    Begun outer =
        begin(
            way,
            command(
                () -> {
                  assertThat(catchThrowable(nested::execute))
                      .isInstanceOf(HystrixBadRequestException.class);
                  return held().run();
                }));
    awaitWork();
    outer.giveUp();

    assertThat(nested.getExecutionEvents()).containsExactly(HystrixEventType.BAD_REQUEST);
    assertRunsAnew();
  }

  @ParameterizedTest
  @EnumSource
  void execution_afterAllWereGivenUp_isNoHit(Way way) throws Exception {
    Begun first = begin(way, held());
    awaitWork();
    Begun second = begin(Way.DISPOSED, held());
    second.giveUp();
    Begun third = begin(Way.CANCELLED, held());
    first.giveUp();
    third.giveUp();

    assertRunsAnew();
  }

  @ParameterizedTest
  @EnumSource
  void execution_whileOneShares_isAHit(Way way) throws Exception {
    Begun first = begin(way, held());
    awaitWork();
    Future<String> stays = held().queue();
    first.giveUp();
    heard.clear();

    Future<String> next = command(() -> "anew").queue();
    assertThat(heard).containsExactly("hit");
    goOn.countDown();
    assertThat(next.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("held");
    assertThat(stays.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("held");
  }

  @Test
  void execution_afterOneThatWasGivenUpOnItsWay_isNoHit() {
    TestObserver<String> unwanted = new TestObserver<>();
    command(() -> "unwanted", unwanted::dispose).toObservable().subscribe(unwanted);

    assertRunsAnew();
  }

  @Test
  void execution_afterAnAnswerAndAHitThatWasGivenUp_isAHit() {
    assertThat(command(() -> "answer").execute()).isEqualTo("answer");
    TestObserver<String> unwanted = new TestObserver<>();
    onHit = unwanted::dispose;
    HystrixCommand<String> second = command(() -> "anew");
    second.toObservable().subscribe(unwanted);
    assertThat(second.getExecutionEvents()).contains(HystrixEventType.CANCELLED);
    onHit = () -> {};
    heard.clear();

    assertThat(command(() -> "anew").execute()).isEqualTo("answer");
    assertThat(heard).containsExactly("hit", "RESPONSE_FROM_CACHE");
  }

  @Test
  void execution_ofARunThatIsForgotten_isNotForgottenWithAnOlderOne() throws Exception {
    Begun old = begin(Way.DISPOSED, held());
    awaitWork();
    HystrixRequestCache.getInstance(
            HystrixCommandKey.Factory.asKey(key), HystrixConcurrencyStrategyDefault.getInstance())
        .clear("one");
    assertThat(command(() -> "anew").execute()).isEqualTo("anew");
    old.giveUp();
    heard.clear();

    assertThat(command(() -> "later").execute()).isEqualTo("anew");
    assertThat(heard).containsExactly("hit", "RESPONSE_FROM_CACHE");
  }
}
