// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategyDefault;
import dev.tenrec.hystrix.strategy.concurrency.HystrixContextScheduler;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestVariableDefault;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestVariableHolder;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestVariableLifecycle;
import dev.tenrec.hystrix.strategy.properties.HystrixProperty;
import dev.tenrec.hystrix.util.HystrixRollingNumberEvent;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The classes around commands: keys, counters, request variables, schedulers, settings. */
@ExtendWith(FreshHystrix.class)
class SurfaceTest {

  private final String key = TestCommand.newKey();

  private HystrixCommand.Setter on(ExecutionIsolationStrategy strategy) {
    return TestCommand.setter(key, TestCommand.settings(strategy));
  }

  /** A key of a user's own. */
  private enum OwnKey implements HystrixCommandKey {
    OWN
  }

  private static final class OwnGroup extends HystrixKey.HystrixKeyDefault
      implements HystrixCommandGroupKey {
    OwnGroup() {
      super("Own group");
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "unset",
      value = {"30, unset, 30, 30", "unset, 5, 10, 10", "3, unset, 3, 10", "30, 5, 30, 30"})
  void poolSizes_thatMayDiverge_takeTheLargerForTheMaximum(
      @Nullable Integer core, @Nullable Integer maximum, int expectedCore, int expectedMaximum) {
    HystrixThreadPoolProperties.Setter pool =
        HystrixThreadPoolProperties.Setter().withAllowMaximumSizeToDivergeFromCoreSize(true);
    if (core != null) {
      pool.withCoreSize(core);
    }
    if (maximum != null) {
      pool.withMaximumSize(maximum);
    }

    HystrixCommand<String> command =
        TestCommand.of(
            on(ExecutionIsolationStrategy.THREAD).andThreadPoolPropertiesDefaults(pool), () -> "a");

    assertThat(command.execute()).isEqualTo("a");
    HystrixThreadPoolProperties inForce =
        HystrixThreadPoolMetrics.getInstance(command.getThreadPoolKey()).getProperties();
    assertThat(inForce.coreSize().get()).isEqualTo(expectedCore);
    assertThat(inForce.actualMaximumSize()).isEqualTo(expectedMaximum);
  }

  @Test
  void asKey_ofOneName_isOneObject() {
    assertThat(HystrixCommandKey.Factory.asKey(key)).isSameAs(HystrixCommandKey.Factory.asKey(key));
    assertThat(HystrixCommandGroupKey.Factory.asKey(key))
        .isSameAs(HystrixCommandGroupKey.Factory.asKey(key));
    assertThat(HystrixThreadPoolKey.Factory.asKey(key))
        .isSameAs(HystrixThreadPoolKey.Factory.asKey(key));
    assertThat(HystrixCollapserKey.Factory.asKey(key))
        .isSameAs(HystrixCollapserKey.Factory.asKey(key));
    assertThat(HystrixCommandKey.Factory.asKey(key))
        .isNotSameAs(HystrixCommandKey.Factory.asKey(key + "!"));
  }

  @Test
  void keys_ofAUsersOwn_areTaken() {
    HystrixCommand<String> command =
        TestCommand.of(
            HystrixCommand.Setter.withGroupKey(new OwnGroup()).andCommandKey(OwnKey.OWN),
            () -> Hystrix.getCurrentThreadExecutingCommand().name());

    assertThat(command.execute()).isEqualTo("OWN");
    assertThat(command.getCommandKey()).isSameAs(OwnKey.OWN);
    assertThat(command.getCommandGroup()).hasToString("Own group");
    assertThat(command.getThreadPoolKey().name()).isEqualTo("Own group");
  }

  @Test
  void counters_always_countWhatIsKnown() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    assertThat(HystrixCounters.getCommandCount()).isZero();
    Future<String> running =
        TestCommand.of(
                on(ExecutionIsolationStrategy.THREAD),
                () -> {
                  begun.countDown();
                  over.await();
                  return "answer";
                })
            .queue();
    begun.await();

    assertThat(HystrixCounters.getCommandCount()).isOne();
    assertThat(HystrixCounters.getThreadPoolCount()).isOne();
    assertThat(HystrixCounters.getGroupCount()).isOne();
    assertThat(HystrixCounters.getGlobalConcurrentThreadsExecuting()).isOne();
    over.countDown();
    assertThat(running.get()).isEqualTo("answer");
  }

  @Test
  void contextScheduler_always_keepsTheRequestPastObserveOn() {
    HystrixRequestVariableDefault<String> user = new HystrixRequestVariableDefault<>();
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      user.set("Ada");
      Observable<String> answers =
          TestCommand.of(on(ExecutionIsolationStrategy.THREAD), () -> "answer")
              .toObservable()
              .observeOn(new HystrixContextScheduler(Schedulers.computation()))
              .map(answer -> answer + " for " + user.get())
              .delay(
                  1,
                  TimeUnit.MILLISECONDS,
                  new HystrixContextScheduler(
                      HystrixConcurrencyStrategyDefault.getInstance(), Schedulers.computation()))
              .map(answer -> answer + " and " + user.get());

      assertThat(answers.blockingSingle()).isEqualTo("answer for Ada and Ada");
    }
  }

  @Test
  void variableHolder_always_hasOneValueOfARequest() {
    List<String> ended = new ArrayList<>();
    HystrixRequestVariableHolder<String> holder =
        new HystrixRequestVariableHolder<>(
            new HystrixRequestVariableLifecycle<>() {
              @Override
              public String initialValue() {
                return "made";
              }

              @Override
              public void shutdown(String value) {
                ended.add(value);
              }
            });
    var strategy = HystrixConcurrencyStrategyDefault.getInstance();
    assertThatThrownBy(() -> holder.get(strategy)).isInstanceOf(IllegalStateException.class);

    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(holder.get(strategy)).isEqualTo("made").isSameAs(holder.get(strategy));
      assertThat(ended).isEmpty();
    }
    assertThat(ended).containsExactly("made");
  }

  @Test
  void property_ofNull_hasTheOther() {
    assertThat(HystrixProperty.Factory.nullProperty().get()).isNull();
    assertThat(HystrixProperty.Factory.asProperty(HystrixProperty.Factory.nullProperty(), 7).get())
        .isEqualTo(7);
    assertThat(HystrixProperty.Factory.asProperty(HystrixProperty.Factory.asProperty(3), 7).get())
        .isEqualTo(3);
  }

  @Test
  void eventTypes_ofCounters_areFound() {
    assertThat(HystrixEventType.ThreadPool.from(HystrixRollingNumberEvent.THREAD_EXECUTION))
        .isSameAs(HystrixEventType.ThreadPool.EXECUTED);
    assertThat(HystrixEventType.ThreadPool.from(HystrixRollingNumberEvent.SUCCESS)).isNull();
    assertThat(HystrixEventType.ThreadPool.from(HystrixEventType.TIMEOUT))
        .isSameAs(HystrixEventType.ThreadPool.EXECUTED);
    assertThat(HystrixEventType.ThreadPool.from(HystrixEventType.THREAD_POOL_REJECTED))
        .isSameAs(HystrixEventType.ThreadPool.REJECTED);
    assertThat(HystrixEventType.ThreadPool.from(HystrixEventType.SHORT_CIRCUITED)).isNull();
    assertThat(HystrixEventType.Collapser.from(HystrixRollingNumberEvent.COLLAPSER_BATCH))
        .isSameAs(HystrixEventType.Collapser.BATCH_EXECUTED);
    assertThatThrownBy(() -> HystrixEventType.Collapser.from(HystrixRollingNumberEvent.SUCCESS))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void circuitBreaker_thatIsDisabled_isNone() {
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(ExecutionIsolationStrategy.THREAD)
                    .withCircuitBreakerEnabled(false)),
            () -> "answer");

    assertThat(command.execute()).isEqualTo("answer");
    assertThat(HystrixCircuitBreaker.Factory.getInstance(command.getCommandKey())).isNull();
    assertThat(command.isCircuitBreakerOpen()).isFalse();
  }

  @Test
  void rejectionThreshold_thatIsNotSet_isTheSizeOfTheQueue() {
    HystrixCommand<String> command =
        TestCommand.of(
            on(ExecutionIsolationStrategy.THREAD)
                .andThreadPoolPropertiesDefaults(
                    HystrixThreadPoolProperties.Setter().withCoreSize(1).withMaxQueueSize(7)),
            () -> "answer");
    command.execute();

    HystrixThreadPoolProperties pool =
        HystrixThreadPoolMetrics.getInstance(command.getThreadPoolKey()).getProperties();
    assertThat(pool.queueSizeRejectionThreshold().get()).isEqualTo(7);
    assertThat(pool.maxQueueSize().get()).isEqualTo(7);
  }

  @Test
  void healthCounts_always_readAsTheyDid() {
    TestCommand.of(on(ExecutionIsolationStrategy.THREAD), () -> "answer").execute();

    assertThat(HystrixCommandMetrics.getInstance(HystrixCommandKey.Factory.asKey(key)))
        .extracting(HystrixCommandMetrics::getHealthCounts)
        .hasToString("HealthCounts[0 / 1 : 0%]");
  }
}
