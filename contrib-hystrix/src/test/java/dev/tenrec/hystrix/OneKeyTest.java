// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.SEMAPHORE;
import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException.FailureType;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import io.reactivex.rxjava3.core.Observable;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What instances of one key share, whatever kind of command they are. */
@ExtendWith(FreshHystrix.class)
class OneKeyTest {

  private static final HystrixCommandGroupKey GROUP = HystrixCommandGroupKey.Factory.asKey("Cars");

  private final HystrixCommandKey key = HystrixCommandKey.Factory.asKey(TestCommand.newKey());

  private HystrixCommand<String> single() {
    return single(HystrixCommand.Setter.withGroupKey(GROUP));
  }

  private HystrixCommand<String> single(HystrixCommand.Setter setter) {
    return TestCommand.of(
        setter.andCommandKey(key),
        () -> Thread.currentThread().getName(),
        () -> "fallback of the one");
  }

  private HystrixObservableCommand<String> items() {
    return items(HystrixObservableCommand.Setter.withGroupKey(GROUP));
  }

  private HystrixObservableCommand<String> items(HystrixObservableCommand.Setter setter) {
    return new HystrixObservableCommand<>(setter.andCommandKey(key)) {
      @Override
      protected Observable<String> construct() {
        return Observable.fromCallable(() -> Thread.currentThread().getName());
      }
    };
  }

  private static ExecutionIsolationStrategy strategyOf(AbstractCommand<?> command) {
    return command.getProperties().executionIsolationStrategy().get();
  }

  @Test
  void bothKinds_ofOneKey_areOnThePoolIfTheFirstIsACommand() {
    assertThat(single().execute()).startsWith("hystrix-Cars-");

    HystrixObservableCommand<String> items = items();
    assertThat(items.toObservable().blockingSingle()).startsWith("hystrix-Cars-");
    assertThat(strategyOf(items)).isSameAs(THREAD);
    await() // a caller may be ahead of the thread that counts
        .until(() -> items.getMetrics().getCumulativeCount(HystrixEventType.SUCCESS) == 2);
  }

  @Test
  void bothKinds_ofOneKey_areOnTheSemaphoreIfTheFirstIsAStream() {
    String here = Thread.currentThread().getName();
    assertThat(items().toObservable().blockingSingle()).isEqualTo(here);

    HystrixCommand<String> single = single();
    assertThat(single.execute()).isEqualTo(here);
    assertThat(strategyOf(single)).isSameAs(SEMAPHORE);
    assertThat(single.getMetrics().getCumulativeCount(HystrixEventType.SUCCESS)).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void bothKinds_ofOneKey_haveWhatTheFirstSets(ExecutionIsolationStrategy strategy) {
    HystrixCommandProperties.Setter settings =
        TestCommand.settings(strategy).withExecutionTimeoutInMilliseconds(4321);
    Object unused =
        items(
                HystrixObservableCommand.Setter.withGroupKey(GROUP)
                    .andCommandPropertiesDefaults(settings))
            .toObservable()
            .blockingSingle();

    HystrixCommand<String> single =
        single(
            HystrixCommand.Setter.withGroupKey(GROUP)
                .andCommandPropertiesDefaults(
                    HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(77)));
    single.execute();

    assertThat(strategyOf(single)).isSameAs(strategy);
    assertThat(single.isExecutedInThread()).isEqualTo(strategy == THREAD);
    assertThat(single.getProperties().executionTimeoutInMilliseconds().get()).isEqualTo(4321);
  }

  @Test
  void circuit_ofOneKey_isOpenForBothKinds() {
    HystrixCommand.Setter open =
        HystrixCommand.Setter.withGroupKey(GROUP)
            .andCommandPropertiesDefaults(
                HystrixCommandProperties.Setter().withCircuitBreakerForceOpen(true));
    assertThat(single(open).execute()).isEqualTo("fallback of the one");

    assertThatThrownBy(() -> items().toObservable().blockingSingle())
        .isInstanceOfSatisfying(
            HystrixRuntimeException.class,
            failure -> assertThat(failure.getFailureType()).isEqualTo(FailureType.SHORTCIRCUIT));
  }

  @Test
  void pool_thatBothKindsAreOn_isTheOneThatTheCommandNames() {
    HystrixCommand.Setter setter =
        HystrixCommand.Setter.withGroupKey(GROUP)
            .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey("Wheels"))
            .andThreadPoolPropertiesDefaults(HystrixThreadPoolProperties.Setter().withCoreSize(3));
    assertThat(single(setter).execute()).startsWith("hystrix-Wheels-");

    assertThat(items().toObservable().blockingSingle()).startsWith("hystrix-Wheels-");
  }

  @Test
  void globalStrategy_always_holdsForACommandThatNamesItsPool() {
    try (Tenrec tenrec = HystrixTenrec.builder().build()) {
      tenrec.set("hystrix.command.default.execution.isolation.strategy", "SEMAPHORE");
      HystrixTenrec.set(tenrec);
      HystrixCommand<String> single =
          single(
              HystrixCommand.Setter.withGroupKey(GROUP)
                  .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey("Wheels")));

      assertThat(single.execute()).isEqualTo(Thread.currentThread().getName());
      assertThat(strategyOf(single)).isSameAs(SEMAPHORE);
    }
  }

  private HystrixCommand<String> onPool(String pool) {
    return single(
        HystrixCommand.Setter.withGroupKey(GROUP)
            .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey(pool)));
  }

  /** What is logged while this runs. */
  private static String logged(Runnable code) {
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      code.run();
    } finally {
      System.setErr(before);
    }
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void pools_thatInstancesOfOneKeyName_areThatOfTheFirstAndAWarningForEachOther() {
    assertThat(onPool("Wheels").execute()).startsWith("hystrix-Wheels-");
    String first = logged(() -> assertThat(onPool("Doors").execute()).startsWith("hystrix-Wheels"));
    String again = logged(() -> onPool("Doors").execute());
    String third = logged(() -> onPool("Roofs").execute());
    String same = logged(() -> onPool("Wheels").execute());

    assertThat(first).contains(key.name(), "the pool Doors", "runs on Wheels");
    assertThat(third).contains(key.name(), "the pool Roofs", "runs on Wheels");
    assertThat(again + same).doesNotContain(key.name());
    assertThat(onPool("Doors").getThreadPoolKey().name()).isEqualTo("Wheels");
    assertThat(onPool("Doors").getMetrics().getThreadPoolKey().name()).isEqualTo("Wheels");
  }

  @Test
  void pools_thatInstancesOnASemaphoreName_areNoReasonForAWarning() {
    HystrixCommand.Setter semaphore =
        HystrixCommand.Setter.withGroupKey(GROUP)
            .andCommandPropertiesDefaults(TestCommand.settings(SEMAPHORE));
    single(semaphore).execute();

    assertThat(logged(() -> onPool("Doors").execute())).doesNotContain("Doors");
  }

  @Test
  void poolKey_thatIsOverridden_isWhereItRuns() {
    try (Tenrec tenrec = HystrixTenrec.builder().build()) {
      HystrixTenrec.set(tenrec);
      tenrec.set("hystrix.command." + key.name() + ".threadPoolKeyOverride", "Elsewhere");
      HystrixCommand<String> single = onPool("Wheels");

      assertThat(single.execute()).startsWith("hystrix-Elsewhere-");
      assertThat(single.getThreadPoolKey().name()).isEqualTo("Elsewhere");
    }
  }
}
