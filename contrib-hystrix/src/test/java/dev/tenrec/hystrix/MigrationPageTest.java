// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.SEMAPHORE;
import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.disposables.Disposable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The lines of the migration page's tables, "what compiles, and differs" and "zeros". */
@ExtendWith(FreshHystrix.class)
class MigrationPageTest {

  private final String key = TestCommand.newKey();

  private HystrixCommand.Setter on(ExecutionIsolationStrategy strategy) {
    return TestCommand.setter(key, TestCommand.settings(strategy));
  }

  // What compiles, and differs.

  @Test
  void fallback_withoutAPermit_leavesTheFirstCause() {
    HystrixCommand.Setter none =
        TestCommand.setter(
            key,
            TestCommand.settings(SEMAPHORE).withFallbackIsolationSemaphoreMaxConcurrentRequests(0));

    assertThatThrownBy(
            TestCommand.of(
                    none,
                    () -> {
                      throw new IllegalStateException("down");
                    },
                    () -> "never")
                ::execute)
        .isInstanceOf(HystrixRuntimeException.class)
        .hasMessageContaining("fallback execution rejected")
        .hasRootCauseMessage("down");
  }

  @Test
  void caller_thatIsInterrupted_givesItsWorkUpAndKeepsItsFlag() throws Exception {
    CountDownLatch given = new CountDownLatch(1);
    Thread caller = Thread.currentThread();
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(THREAD)
                    .withExecutionIsolationThreadInterruptOnFutureCancel(true)),
            () -> {
              caller.interrupt();
              try {
                new CountDownLatch(1).await();
              } finally {
                given.countDown();
              }
              return "never";
            });

    assertThatThrownBy(command::execute).isInstanceOf(HystrixRuntimeException.class);

    assertThat(Thread.interrupted()).isTrue();
    given.await();
    assertThat(command.getExecutionEvents()).containsExactly(HystrixEventType.CANCELLED);
  }

  @Test
  void allowRequest_always_onlySaysWhatACallWouldMeet() {
    HystrixCommand<String> open =
        TestCommand.of(
            TestCommand.setter(key, TestCommand.settings(THREAD).withCircuitBreakerForceOpen(true)),
            () -> "never",
            () -> "b");
    HystrixCommand<String> closed =
        TestCommand.of(
            TestCommand.setter(key + " closed", TestCommand.settings(THREAD)), () -> "a");
    assertThat(open.execute() + closed.execute()).isEqualTo("ba");

    assertThat(HystrixCircuitBreaker.Factory.getInstance(open.getCommandKey()).allowRequest())
        .isFalse();
    assertThat(HystrixCircuitBreaker.Factory.getInstance(closed.getCommandKey()).allowRequest())
        .isTrue();
    assertThat(open.getMetrics().getCumulativeCount(HystrixEventType.SHORT_CIRCUITED)).isOne();
  }

  @Test
  void allowRequest_afterTheSleepWindow_saysThatACallIsATrialAndChangesNothing() {
    ManualTime time = new ManualTime();
    Tenrec tenrec = TestCommand.livesBy(time);
    boolean[] down = {true};
    HystrixCommand.Setter setter =
        TestCommand.setter(
            key,
            TestCommand.settings(SEMAPHORE)
                .withCircuitBreakerRequestVolumeThreshold(1)
                .withCircuitBreakerSleepWindowInMilliseconds(5_000));
    Callable<String> work =
        () -> {
          if (down[0]) {
            throw new IllegalStateException("down");
          }
          return "a";
        };
    HystrixCommand<String> first = TestCommand.of(setter, work, () -> "b");
    HystrixCircuitBreaker circuit =
        HystrixCircuitBreaker.Factory.getInstance(first.getCommandKey());
    assertThat(first.execute()).isEqualTo("b");
    time.advanceMillis(20);
    assertThat(TestCommand.of(setter, work, () -> "b").execute()).isEqualTo("b");
    assertThat(circuit.isOpen()).isTrue();
    assertThat(circuit.allowRequest()).isFalse();

    time.advanceMillis(5_001);

    assertThat(circuit.allowRequest()).isTrue();
    assertThat(circuit.allowRequest()).as("nothing has changed").isTrue();
    assertThat(circuit.isOpen()).isTrue();
    down[0] = false;
    if (circuit.allowRequest()) { // as its users guard calls
      assertThat(TestCommand.of(setter, work, () -> "b").execute()).isEqualTo("a");
    }
    assertThat(circuit.isOpen()).isFalse();
    tenrec.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"THREAD", "SEMAPHORE"})
  void rejection_ofTheWorksOwn_isAFailure(ExecutionIsolationStrategy strategy) {
    HystrixCommand<String> command =
        TestCommand.of(
            on(strategy),
            () -> {
              throw new RejectedExecutionException("a pool further down");
            },
            () -> "b");

    assertThat(command.execute()).isEqualTo("b");
    assertThat(command.isResponseThreadPoolRejected()).isFalse();
    assertThat(command.getExecutionEvents())
        .containsExactly(HystrixEventType.FAILURE, HystrixEventType.FALLBACK_SUCCESS);
  }

  @Test
  void exception_thatIsCausedByAnErrorOfTheJvm_isAnsweredByTheFallback() {
    HystrixCommand<String> command =
        TestCommand.of(
            on(THREAD),
            () -> {
              throw new IllegalStateException(new StackOverflowError());
            },
            () -> "b");

    assertThat(command.execute()).isEqualTo("b");
  }

  @Test
  void pool_thatSeveralCommandsName_isSetByTheFirst() {
    HystrixThreadPoolKey pool = HystrixThreadPoolKey.Factory.asKey(key);
    for (int threads : List.of(3, 7)) {
      TestCommand.of(
              TestCommand.setter(key + threads, TestCommand.settings(THREAD))
                  .andThreadPoolKey(pool)
                  .andThreadPoolPropertiesDefaults(
                      HystrixThreadPoolProperties.Setter().withCoreSize(threads)),
              () -> "a")
          .execute();
    }

    assertThat(HystrixThreadPoolMetrics.getInstance(pool).getProperties().coreSize().get())
        .isEqualTo(3);
  }

  /** A collapser whose parts are given. */
  private HystrixCollapser<String, String, String> collapser(
      String argument,
      Callable<String> batch,
      BiConsumer<String, Collection<CollapsedRequest<String, String>>> mapping) {
    return new HystrixCollapser<>(HystrixCollapserKey.Factory.asKey(key)) {
      @Override
      public String getRequestArgument() {
        return argument;
      }

      @Override
      protected HystrixCommand<String> createCommand(
          Collection<CollapsedRequest<String, String>> requests) {
        return TestCommand.of(
            TestCommand.setter(key + " batch", TestCommand.settings(THREAD)), batch);
      }

      @Override
      protected void mapResponseToRequests(
          String response, Collection<CollapsedRequest<String, String>> requests) {
        mapping.accept(response, requests);
      }
    };
  }

  @Test
  void badRequest_ofABatch_isThatOfItsCalls() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThatThrownBy(
              collapser(
                      "one",
                      () -> {
                        throw new HystrixBadRequestException("wrong");
                      },
                      (answer, calls) -> {})
                  ::execute)
          .isExactlyInstanceOf(HystrixBadRequestException.class)
          .hasMessage("wrong");
    }
  }

  @Test
  void failure_ofACollapsersCall_isTheCause() {
    Exception failure = new Exception("no such thing");
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThatThrownBy(
              collapser(
                      "one",
                      () -> "a",
                      (answer, calls) -> calls.forEach(call -> call.setException(failure)))
                  ::execute)
          .isExactlyInstanceOf(RuntimeException.class)
          .hasMessageEndingWith("HystrixCollapser failed while executing.")
          .cause()
          .isSameAs(failure);
    }
  }

  @Test
  void equalArguments_always_areAskedOnce() throws Exception {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      BiConsumer<String, Collection<CollapsedRequest<String, String>>> mapping =
          (answer, calls) -> {
            sizes.add(calls.size());
            calls.forEach(call -> call.setResponse(answer + " for " + call.getArgument()));
          };
      Future<String> one = collapser("one", () -> "a", mapping).queue();
      Future<String> same = collapser("one", () -> "a", mapping).queue();

      assertThat(one.get()).isEqualTo("a for one").isEqualTo(same.get());
      assertThat(sizes).containsOnly(1);
    }
  }

  @Test
  void setComplete_withoutAnAnswer_answersNull() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(
              collapser(
                      "one",
                      () -> "a",
                      (answer, calls) -> calls.forEach(CollapsedRequest::setComplete))
                  .execute())
          .isNull();
    }
  }

  @Test
  void startTime_always_isByTheMonotonicClock() {
    long before = System.nanoTime();
    HystrixCommand<String> command = TestCommand.of(on(SEMAPHORE), () -> "a");
    command.execute();

    assertThat(command.getCommandRunStartTimeInNanos() - before).isNotNegative();
    assertThat(System.nanoTime() - command.getCommandRunStartTimeInNanos()).isNotNegative();
  }

  @Test
  void dispose_whereCancellationsInterrupt_interruptsTheWork() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    HystrixCommand<String> command =
        TestCommand.of(
            TestCommand.setter(
                key,
                TestCommand.settings(THREAD)
                    .withExecutionIsolationThreadInterruptOnFutureCancel(true)),
            () -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException given) {
                interrupted.countDown();
              }
              return "never";
            });
    Disposable subscription = command.observe().subscribe();
    begun.await();

    subscription.dispose();

    interrupted.await();
    assertThat(command.getExecutionEvents()).containsExactly(HystrixEventType.CANCELLED);
  }

  @Test
  void callsInFlight_askedInTheFallback_areWithoutIt() {
    List<Integer> inFlight = new ArrayList<>();
    HystrixCommandMetrics[] metrics = new HystrixCommandMetrics[1];
    HystrixCommand<String> command =
        TestCommand.of(
            on(SEMAPHORE),
            () -> {
              inFlight.add(metrics[0].getCurrentConcurrentExecutionCount());
              throw new IllegalStateException("down");
            },
            () -> {
              inFlight.add(metrics[0].getCurrentConcurrentExecutionCount());
              return "b";
            });
    metrics[0] = command.getMetrics();

    assertThat(command.execute()).isEqualTo("b");

    assertThat(inFlight).containsExactly(1, 0);
  }

  @Test
  void timeoutUnderASemaphore_runsItsFallbackWhenTheWorkReturns() {
    ManualTime time = new ManualTime();
    List<String> order = new ArrayList<>();
    try (Tenrec tenrec = TestCommand.livesBy(time)) {
      HystrixCommand<String> command =
          TestCommand.of(
              on(SEMAPHORE),
              () -> {
                time.advance(Duration.ofMinutes(1));
                order.add("work on " + Thread.currentThread().getName());
                return "too late";
              },
              () -> {
                order.add("fallback on " + Thread.currentThread().getName());
                return "b";
              });

      assertThat(command.execute()).isEqualTo("b");

      String caller = Thread.currentThread().getName();
      assertThat(order).containsExactly("work on " + caller, "fallback on " + caller);
      assertThat(command.getExecutionEvents())
          .containsExactly(HystrixEventType.TIMEOUT, HystrixEventType.FALLBACK_SUCCESS);
    }
  }

  @Test
  void fallbackOfASuperclass_isHeardOfWhenItStarts() {
    class Fails extends HystrixCommand<String> {
      Fails() {
        super(on(SEMAPHORE));
      }

      @Override
      protected String run() {
        throw new IllegalStateException("down");
      }

      @Override
      protected String getFallback() {
        return "b";
      }
    }
    class FailsAsItsParent extends Fails {}
    List<String> heard = new ArrayList<>();
    HystrixPlugins.getInstance()
        .registerCommandExecutionHook(
            new HystrixCommandExecutionHook() {
              @Override
              public <T> void onFallbackStart(HystrixInvokable<T> command) {
                heard.add(command.getClass().getSimpleName());
              }
            });

    assertThat(new FailsAsItsParent().execute()).isEqualTo("b");

    assertThat(heard).containsExactly("FailsAsItsParent");
  }

  // Zeros.

  private static final Set<String> ZEROS_WITH_A_MEANING =
      Set.of(
          "withCircuitBreakerRequestVolumeThreshold",
          "withExecutionIsolationSemaphoreMaxConcurrentRequests",
          "withFallbackIsolationSemaphoreMaxConcurrentRequests",
          "withKeepAliveTimeMinutes",
          "withMaxQueueSize",
          "withQueueSizeRejectionThreshold");

  /** Every number that a setter takes, but those. */
  static Stream<Arguments> zerosWithoutAMeaning() {
    return Stream.of(
            HystrixCommandProperties.Setter(),
            HystrixThreadPoolProperties.Setter(),
            HystrixCollapserProperties.Setter())
        .flatMap(
            setter ->
                Arrays.stream(setter.getClass().getMethods())
                    .filter(method -> method.getName().startsWith("with"))
                    .filter(method -> Arrays.equals(method.getParameterTypes(), INT))
                    .filter(method -> !ZEROS_WITH_A_MEANING.contains(method.getName()))
                    .map(method -> Arguments.of(method.getName(), setter, method)));
  }

  private static final Class<?>[] INT = {int.class};

  @ParameterizedTest(name = "{0}")
  @MethodSource("zerosWithoutAMeaning")
  void zero_withoutAMeaning_isRefusedWithWhatToWrite(String words, Object setter, Method method) {
    assertThatThrownBy(() -> method.invoke(setter, 0))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words + "(0)")
        .hasMessageContaining("is expected; ");
  }

  @Test
  void zeros_withoutAMeaning_areAllLookedAt() {
    assertThat(zerosWithoutAMeaning()).hasSizeGreaterThan(20);
  }

  @Test
  void zero_thatMeansSomething_isTaken() {
    assertThat(
            HystrixCommandProperties.Setter()
                .withCircuitBreakerRequestVolumeThreshold(0)
                .getCircuitBreakerRequestVolumeThreshold())
        .isOne();
    assertThat(
            HystrixCommandProperties.Setter()
                .withExecutionIsolationSemaphoreMaxConcurrentRequests(0)
                .withFallbackIsolationSemaphoreMaxConcurrentRequests(0)
                .getExecutionIsolationSemaphoreMaxConcurrentRequests())
        .isZero();
    assertThat(
            HystrixThreadPoolProperties.Setter()
                .withMaxQueueSize(0)
                .withKeepAliveTimeMinutes(0)
                .withQueueSizeRejectionThreshold(0)
                .getMaxQueueSize())
        .isZero();
  }

  /** What a properties strategy said of keys, as a source: the time-outs of a table. */
  private static final class Timeouts implements SettingsSource {

    private final Map<String, Integer> millisByKey = new ConcurrentHashMap<>();
    private final List<Runnable> subscribers = new CopyOnWriteArrayList<>();

    void change(String key, int millis) {
      millisByKey.put(key, millis);
      subscribers.forEach(Runnable::run);
    }

    @Override
    public Map<String, String> values(String prefix) {
      Map<String, String> values = new HashMap<>();
      millisByKey.forEach(
          (key, millis) ->
              values.put(
                  prefix + ".command." + key + ".execution.isolation.thread.timeoutInMilliseconds",
                  millis.toString()));
      return values;
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      subscribers.add(onChange);
      return () -> subscribers.remove(onChange);
    }

    @Override
    public void close() {}
  }

  @Test
  void source_inThePlaceOfAPropertiesStrategy_saysWhatEachKeyHas() {
    Timeouts timeouts = new Timeouts();
    timeouts.change(key, 45_000);
    try (Tenrec tenrec = HystrixTenrec.builder().source(timeouts).build()) {
      HystrixTenrec.set(tenrec);
      HystrixCommand<String> command =
          TestCommand.of(TestCommand.setter(key, TestCommand.settings(SEMAPHORE)), () -> "answer");

      assertThat(command.execute()).isEqualTo("answer");
      assertThat(command.getProperties().executionTimeoutInMilliseconds().get()).isEqualTo(45_000);
      timeouts.change(key, 50_000);
      assertThat(command.getProperties().executionTimeoutInMilliseconds().get()).isEqualTo(50_000);
    }
  }
}
