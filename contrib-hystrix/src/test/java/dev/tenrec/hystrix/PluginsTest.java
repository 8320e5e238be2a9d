// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.SEMAPHORE;
import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.THREAD;
import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.VIRTUAL_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategy;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategyDefault;
import dev.tenrec.hystrix.strategy.concurrency.HystrixContextRunnable;
import dev.tenrec.hystrix.strategy.concurrency.HystrixContextScheduler;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.eventnotifier.HystrixEventNotifier;
import dev.tenrec.hystrix.strategy.eventnotifier.HystrixEventNotifierDefault;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHookDefault;
import dev.tenrec.hystrix.strategy.metrics.HystrixMetricsPublisherDefault;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.functions.Function;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is registered once: how, and what notifiers and strategies do. */
@ExtendWith(FreshHystrix.class)
class PluginsTest {

  private static final String NOTIFIER = "hystrix.plugin.HystrixEventNotifier.implementation";
  private static final ThreadLocal<String> USER = new ThreadLocal<>();

  private final String key = TestCommand.newKey();

  @AfterEach
  void forget() {
    System.clearProperty(NOTIFIER);
    USER.remove();
  }

  private HystrixCommand.Setter on(ExecutionIsolationStrategy strategy) {
    return TestCommand.setter(key, TestCommand.settings(strategy));
  }

  private static String fails() {
    throw new IllegalStateException("down");
  }

  /** Notes each event. */
  public static final class Notes extends HystrixEventNotifier {

    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Override
    public void markEvent(HystrixEventType eventType, HystrixCommandKey key) {
      heard.add(eventType.name());
    }

    @Override
    public void markCommandExecution(
        HystrixCommandKey key,
        ExecutionIsolationStrategy isolationStrategy,
        int duration,
        List<HystrixEventType> eventsDuringExecution) {
      assertThat(duration).isNotNegative();
      heard.add(key.name() + " on " + isolationStrategy + " had " + eventsDuringExecution);
    }
  }

  /** Carries the user of the caller's thread. */
  private static final class WithUser extends HystrixConcurrencyStrategy {
    @Override
    public <T> Callable<T> wrapCallable(Callable<T> callable) {
      String captured = USER.get();
      return () -> {
        String before = USER.get();
        USER.set(captured);
        try {
          return callable.call();
        } finally {
          USER.set(before);
        }
      };
    }
  }

  // Registering.

  @Test
  void plugins_thatAreNotRegistered_doNothing() {
    HystrixPlugins plugins = HystrixPlugins.getInstance();

    assertThat(plugins.getCommandExecutionHook())
        .isSameAs(HystrixCommandExecutionHookDefault.getInstance());
    assertThat(plugins.getEventNotifier()).isSameAs(HystrixEventNotifierDefault.getInstance());
    assertThat(plugins.getConcurrencyStrategy())
        .isSameAs(HystrixConcurrencyStrategyDefault.getInstance());
    assertThat(plugins.getMetricsPublisher())
        .isSameAs(HystrixMetricsPublisherDefault.getInstance());
  }

  @Test
  void resetOfHystrix_always_forgetsThem() {
    HystrixPlugins.getInstance().registerEventNotifier(new Notes());

    Hystrix.reset();

    assertThat(HystrixPlugins.getInstance().getEventNotifier())
        .isSameAs(HystrixEventNotifierDefault.getInstance());
    HystrixPlugins.getInstance().registerEventNotifier(new Notes());
    Hystrix.reset(1, TimeUnit.SECONDS);
    assertThat(HystrixPlugins.getInstance().getEventNotifier())
        .isSameAs(HystrixEventNotifierDefault.getInstance());
  }

  @Test
  void register_aSecondTime_isRefused() {
    HystrixPlugins plugins = HystrixPlugins.getInstance();
    Notes first = new Notes();
    plugins.getEventNotifier(); // to ask is not to register
    plugins.registerEventNotifier(first);

    assertThatThrownBy(() -> plugins.registerEventNotifier(new Notes()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Another strategy was already registered.")
        .hasMessageContaining(Notes.class.getName());
    assertThat(plugins.getEventNotifier()).isSameAs(first);
  }

  @Test
  void reset_always_letsAllBeRegisteredAgain() {
    HystrixCommandExecutionHook hook = HystrixPlugins.getInstance().getCommandExecutionHook();
    HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());
    HystrixPlugins.reset();
    HystrixPlugins.getInstance().registerCommandExecutionHook(hook);
    HystrixConcurrencyStrategy other = new WithUser();
    HystrixPlugins.getInstance().registerConcurrencyStrategy(other);

    assertThat(HystrixPlugins.getInstance().getConcurrencyStrategy()).isSameAs(other);
  }

  @Test
  void property_thatNamesAClass_registersIt() {
    System.setProperty(NOTIFIER, Notes.class.getName());

    assertThat(HystrixPlugins.getInstance().getEventNotifier()).isInstanceOf(Notes.class);
  }

  @Test
  void property_thatNamesNoPlugin_isRefusedByName() {
    System.setProperty(NOTIFIER, "java.lang.String");

    assertThatThrownBy(() -> HystrixPlugins.getInstance().getEventNotifier())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(NOTIFIER + "=java.lang.String");
  }

  // Notifiers.

  @Test
  void notifier_always_hearsOfEachEvent() {
    Notes notes = new Notes();
    HystrixPlugins.getInstance().registerEventNotifier(notes);

    TestCommand.of(on(THREAD), () -> "a").execute();
    assertThat(notes.heard).containsExactly("SUCCESS", key + " on THREAD had [SUCCESS]");
    notes.heard.clear();

    TestCommand.of(on(THREAD), PluginsTest::fails, () -> "b").execute();
    assertThat(notes.heard).containsExactly("FAILURE", "FALLBACK_SUCCESS");
    notes.heard.clear();

    assertThatThrownBy(TestCommand.of(on(THREAD), PluginsTest::fails)::execute)
        .hasMessageContaining("failed");
    assertThat(notes.heard).containsExactly("FAILURE", "FALLBACK_MISSING", "EXCEPTION_THROWN");
  }

  @Test
  void notifier_ofAStream_hearsOfEachItem() {
    Notes notes = new Notes();
    HystrixPlugins.getInstance().registerEventNotifier(notes);
    new HystrixObservableCommand<String>(HystrixCommandGroupKey.Factory.asKey(key)) {
      @Override
      protected Observable<String> construct() {
        return Observable.just("a", "b");
      }
    }.toObservable().blockingSubscribe();

    assertThat(notes.heard).startsWith("EMIT", "EMIT", "SUCCESS").hasSize(4);
  }

  @Test
  void notifier_ofACacheHit_hearsOfThatAlone() {
    Notes notes = new Notes();
    HystrixPlugins.getInstance().registerEventNotifier(notes);
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      cached().execute();
      notes.heard.clear();
      cached().execute();

      assertThat(notes.heard).containsExactly("RESPONSE_FROM_CACHE");
    }
  }

  /** The run before it is another command's, whose key it has now. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void execution_afterAResetInItsRequest_isNoHit(boolean byAnotherTenrec) {
    try (Tenrec another = HystrixTenrec.builder().build();
        HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      USER.set("Ada");
      assertThat(cachedUser().execute()).isEqualTo("null");
      if (byAnotherTenrec) {
        HystrixTenrec.set(another);
      } else {
        Hystrix.reset();
      }
      Notes notes = new Notes();
      HystrixPlugins.getInstance().registerEventNotifier(notes);
      HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());

      assertThat(cachedUser().execute()).isEqualTo("Ada");
      assertThat(notes.heard).startsWith("SUCCESS").doesNotContain("RESPONSE_FROM_CACHE");
      assertThat(cachedUser().execute()).isEqualTo("Ada");
      assertThat(notes.heard).endsWith("RESPONSE_FROM_CACHE");
      Hystrix.reset(); // while the other Tenrec is open
    }
  }

  private HystrixCommand<String> cachedUser() {
    return new HystrixCommand<>(on(THREAD)) {
      @Override
      protected String run() {
        return String.valueOf(USER.get());
      }

      @Override
      protected String getCacheKey() {
        return "one";
      }
    };
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

  // Strategies.

  @Test
  void strategy_always_carriesToWorkAndFallbackOnThePool() {
    HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());
    USER.set("Ada");

    assertThat(TestCommand.of(on(THREAD), USER::get).execute()).isEqualTo("Ada");
    assertThat(TestCommand.of(on(THREAD), PluginsTest::fails, USER::get).execute())
        .isEqualTo("Ada");
    assertThat(TestCommand.of(on(THREAD), PluginsTest::fails, USER::get).observe().blockingSingle())
        .isEqualTo("Ada");
  }

  @Test
  void strategy_always_carriesToTheFallbackOfATimeout() throws Exception {
    HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());
    USER.set("Ada");
    CountDownLatch over = new CountDownLatch(1);
    ManualTime time = new ManualTime();
    Tenrec tenrec = TestCommand.livesBy(time);
    HystrixCommand<String> late =
        TestCommand.of(
            TestCommand.setter(
                key, TestCommand.settings(THREAD).withExecutionTimeoutInMilliseconds(20)),
            () -> {
              time.advanceMillis(30);
              over.await();
              return "late";
            },
            USER::get);

    assertThat(late.queue().get()).isEqualTo("Ada");
    over.countDown();
    tenrec.close();
  }

  @Test
  void strategy_always_carriesToTheSubscriptionOfAStream() {
    HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());
    USER.set("Ada");
    HystrixObservableCommand<String> stream =
        new HystrixObservableCommand<>(
            HystrixObservableCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(key))
                .andCommandPropertiesDefaults(TestCommand.settings(THREAD))) {
          @Override
          protected Observable<String> construct() {
            return Observable.fromCallable(() -> Thread.currentThread().getName() + USER.get());
          }
        };

    assertThat(stream.toObservable().blockingSingle()).startsWith("hystrix-").endsWith("Ada");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void strategy_onAVirtualThread_carriesToWorkAndFallback() {
    HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());
    USER.set("Ada");

    assertThat(TestCommand.of(on(VIRTUAL_THREAD), USER::get).execute()).isEqualTo("Ada");
    assertThat(TestCommand.of(on(VIRTUAL_THREAD), PluginsTest::fails, USER::get).execute())
        .isEqualTo("Ada");
  }

  @Test
  void strategy_onASemaphore_carriesToTheFallbackOfAStreamThatIsLate() {
    HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());
    USER.set("Ada");
    ManualTime time = new ManualTime();
    Tenrec tenrec = TestCommand.livesBy(time);
    HystrixObservableCommand<String> late =
        new HystrixObservableCommand<>(
            HystrixObservableCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(key))
                .andCommandPropertiesDefaults(
                    TestCommand.settings(SEMAPHORE).withExecutionTimeoutInMilliseconds(20))) {
          @Override
          protected Observable<String> construct() {
            return Observable.never();
          }

          @Override
          protected Observable<String> resumeWithFallback() {
            String made = USER.get();
            return Observable.fromCallable(() -> made + " and " + USER.get());
          }
        };
    Observable<String> answer = late.observe();

    time.advanceMillis(30);

    assertThat(answer.timeout(PatientWaits.seconds(), TimeUnit.SECONDS).blockingSingle())
        .isEqualTo("Ada and Ada");
    tenrec.close();
  }

  /** Notes who made and who ran the command of a batch. */
  private static final class ByUser extends HystrixCollapser<String, String, String> {

    private final String key;

    ByUser(String key) {
      super(Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey(key)).andScope(Scope.GLOBAL));
      this.key = key;
    }

    @Override
    public String getRequestArgument() {
      return key;
    }

    @Override
    protected HystrixCommand<String> createCommand(
        Collection<CollapsedRequest<String, String>> requests) {
      String maker = USER.get();
      return TestCommand.of(
          TestCommand.setter(key + " batch", TestCommand.settings(THREAD)),
          () -> maker + " and " + USER.get());
    }

    @Override
    protected void mapResponseToRequests(
        String batchResponse, Collection<CollapsedRequest<String, String>> requests) {
      requests.forEach(request -> request.setResponse(batchResponse));
    }
  }

  @Test
  void strategy_ofACollapser_carriesToTheCommandOfItsBatch() {
    HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());
    USER.set("Ada");

    assertThat(new ByUser(key).execute()).isEqualTo("Ada and Ada");
    assertThat(new ByUser(key).toObservable().blockingSingle()).isEqualTo("Ada and Ada");
    USER.set("Bob");
    assertThat(new ByUser(key).execute()).isEqualTo("Bob and Bob");
  }

  /** As {@link ByUser}, item by item. */
  private static final class ItemsByUser
      extends HystrixObservableCollapser<String, String, String, String> {

    private final String key;

    ItemsByUser(String key) {
      super(Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey(key)).andScope(Scope.GLOBAL));
      this.key = key;
    }

    @Override
    public String getRequestArgument() {
      return key;
    }

    @Override
    protected HystrixObservableCommand<String> createCommand(
        Collection<CollapsedRequest<String, String>> requests) {
      String maker = USER.get();
      return new HystrixObservableCommand<>(
          HystrixObservableCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(key))
              .andCommandKey(HystrixCommandKey.Factory.asKey(key + " batch"))
              .andCommandPropertiesDefaults(TestCommand.settings(SEMAPHORE))) {
        @Override
        protected Observable<String> construct() {
          return Observable.just(maker + " and " + USER.get());
        }
      };
    }

    @Override
    protected Function<String, String> getBatchReturnTypeKeySelector() {
      return item -> key;
    }

    @Override
    protected Function<String, String> getRequestArgumentKeySelector() {
      return argument -> argument;
    }

    @Override
    protected Function<String, String> getBatchReturnTypeToResponseTypeMapper() {
      return item -> item;
    }

    @Override
    protected void onMissingResponse(CollapsedRequest<String, String> request) {}
  }

  @Test
  void strategy_ofAnObservableCollapser_carriesToTheCommandOfItsBatch() {
    HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());
    USER.set("Ada");

    assertThat(new ItemsByUser(key).observe().blockingSingle()).isEqualTo("Ada and Ada");
  }

  @Test
  void strategy_whoseWrapperThrows_failsTheCallsOfTheBatch() {
    HystrixPlugins.getInstance()
        .registerConcurrencyStrategy(
            new HystrixConcurrencyStrategy() {
              @Override
              public <T> Callable<T> wrapCallable(Callable<T> callable) {
                return () -> {
                  throw new IOException("no context");
                };
              }
            });

    assertThatThrownBy(() -> new ByUser(key).execute())
        .isExactlyInstanceOf(RuntimeException.class)
        .hasRootCauseMessage("no context");
  }

  @Test
  void strategy_onASemaphore_wrapsNothing() {
    HystrixPlugins.getInstance()
        .registerConcurrencyStrategy(
            new HystrixConcurrencyStrategy() {
              @Override
              public <T> Callable<T> wrapCallable(Callable<T> callable) {
                throw new AssertionError("not here");
              }
            });

    assertThat(TestCommand.of(on(SEMAPHORE), () -> "a").execute()).isEqualTo("a");
  }

  @Test
  void contextTasks_always_areWrapped() throws Exception {
    HystrixPlugins.getInstance().registerConcurrencyStrategy(new WithUser());
    USER.set("Ada");
    CompletableFuture<String> seen = new CompletableFuture<>();
    CompletableFuture<Void> unused =
        CompletableFuture.runAsync(new HystrixContextRunnable(() -> seen.complete(USER.get())));

    assertThat(seen.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("Ada");
    assertThat(
            Observable.just("a")
                .observeOn(new HystrixContextScheduler(Schedulers.computation()))
                .map(item -> item + USER.get())
                .blockingSingle())
        .isEqualTo("aAda");
  }
}
