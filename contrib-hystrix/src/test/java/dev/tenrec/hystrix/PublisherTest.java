// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.SEMAPHORE;
import static dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.metrics.HystrixMetricsPublisher;
import dev.tenrec.hystrix.strategy.metrics.HystrixMetricsPublisherCollapser;
import dev.tenrec.hystrix.strategy.metrics.HystrixMetricsPublisherCommand;
import dev.tenrec.hystrix.strategy.metrics.HystrixMetricsPublisherThreadPool;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a publisher of metrics is asked for, and what it can read. */
@ExtendWith(FreshHystrix.class)
class PublisherTest {

  private final String key = TestCommand.newKey();
  private final Gauges gauges = new Gauges();

  /** Keeps gauges as a registry of metrics would. */
  private static final class Gauges extends HystrixMetricsPublisher {

    final List<String> initialized = new CopyOnWriteArrayList<>();
    final Map<String, LongSupplier> values = new ConcurrentHashMap<>();

    @Override
    public HystrixMetricsPublisherCommand getMetricsPublisherForCommand(
        HystrixCommandKey commandKey,
        HystrixCommandGroupKey commandGroupKey,
        HystrixCommandMetrics metrics,
        HystrixCircuitBreaker circuitBreaker,
        HystrixCommandProperties properties) {
      return () -> {
        initialized.add("command " + commandKey.name() + " of " + commandGroupKey.name());
        values.put("successes", () -> metrics.getCumulativeCount(HystrixEventType.SUCCESS));
        values.put("open", () -> circuitBreaker.isOpen() ? 1 : 0);
        values.put("timeout", () -> properties.executionTimeoutInMilliseconds().get());
      };
    }

    @Override
    public HystrixMetricsPublisherThreadPool getMetricsPublisherForThreadPool(
        HystrixThreadPoolKey threadPoolKey,
        HystrixThreadPoolMetrics metrics,
        HystrixThreadPoolProperties properties) {
      return () -> {
        initialized.add("pool " + threadPoolKey.name());
        values.put("executed", metrics::getCumulativeCountThreadsExecuted);
        values.put("core", () -> properties.coreSize().get());
      };
    }

    @Override
    public HystrixMetricsPublisherCollapser getMetricsPublisherForCollapser(
        HystrixCollapserKey collapserKey,
        HystrixCollapserMetrics metrics,
        HystrixCollapserProperties properties) {
      return () -> {
        initialized.add("collapser " + collapserKey.name());
        values.put(
            "batched", () -> metrics.getCumulativeCount(HystrixEventType.Collapser.ADDED_TO_BATCH));
        values.put("delay", () -> properties.timerDelayInMilliseconds().get());
      };
    }

    long value(String name) {
      return values.get(name).getAsLong();
    }
  }

  private HystrixCommand<String> on(ExecutionIsolationStrategy strategy) {
    return TestCommand.of(
        TestCommand.setter(key, TestCommand.settings(strategy))
            .andThreadPoolPropertiesDefaults(HystrixThreadPoolProperties.Setter().withCoreSize(3)),
        () -> "answer");
  }

  @Test
  void commandAndPool_withTheFirstInstance_arePublishedOnce() {
    HystrixPlugins.getInstance().registerMetricsPublisher(gauges);

    HystrixCommand<String> first = on(THREAD);

    assertThat(gauges.initialized)
        .containsExactly("command " + key + " of Group of " + key, "pool Group of " + key);
    assertThat(gauges.value("successes")).isZero();
    first.execute();
    on(THREAD).execute();
    assertThat(gauges.initialized).hasSize(2);
    await().until(() -> gauges.value("successes") == 2); // a caller may be ahead of it
    assertThat(gauges.value("open")).isZero();
    assertThat(gauges.value("timeout")).isEqualTo(30_000);
    assertThat(gauges.value("executed")).isEqualTo(2);
    assertThat(gauges.value("core")).isEqualTo(3);
  }

  @Test
  void command_onASemaphore_hasNoPoolToPublish() {
    HystrixPlugins.getInstance().registerMetricsPublisher(gauges);

    on(SEMAPHORE).execute();

    assertThat(gauges.initialized).containsExactly("command " + key + " of Group of " + key);
  }

  @Test
  void commands_afterAReset_arePublishedAnew() {
    HystrixPlugins.getInstance().registerMetricsPublisher(gauges);
    on(SEMAPHORE).execute();

    Hystrix.reset();
    HystrixPlugins.getInstance().registerMetricsPublisher(gauges);
    on(SEMAPHORE).execute();

    assertThat(gauges.initialized).hasSize(2);
    assertThat(gauges.value("successes")).isOne();
  }

  /** Asks for names. */
  private final class Names extends HystrixCollapser<List<String>, String, Integer> {

    Names() {
      super(HystrixCollapserKey.Factory.asKey(key));
    }

    @Override
    public Integer getRequestArgument() {
      return 7;
    }

    @Override
    protected HystrixCommand<List<String>> createCommand(
        Collection<CollapsedRequest<String, Integer>> requests) {
      return new HystrixCommand<>(HystrixCommandGroupKey.Factory.asKey("Batch of " + key)) {
        @Override
        protected List<String> run() {
          return List.of("seven");
        }
      };
    }

    @Override
    protected void mapResponseToRequests(
        List<String> batchResponse, Collection<CollapsedRequest<String, Integer>> requests) {
      requests.forEach(request -> request.setResponse(batchResponse.get(0)));
    }
  }

  @Test
  void collapser_withItsFirstCall_isPublishedOnce() {
    HystrixPlugins.getInstance().registerMetricsPublisher(gauges);

    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(new Names().execute()).isEqualTo("seven");
      assertThat(new Names().execute()).isEqualTo("seven");
    }

    assertThat(gauges.initialized).containsOnlyOnce("collapser " + key);
    assertThat(gauges.value("batched")).isEqualTo(2);
    assertThat(gauges.value("delay")).isEqualTo(10);
  }

  @Test
  void publisher_thatThrows_keepsNobodyFromTheirAnswer() {
    assertAnswersBeside(
        () -> {
          throw new IllegalStateException("no registry");
        });
  }

  /** As where the library that it publishes to is missing. */
  @Test
  void publisher_thatThrowsAnError_keepsNobodyFromTheirAnswer() {
    assertAnswersBeside(
        () -> {
          throw new NoClassDefFoundError("a/registry");
        });
  }

  private void assertAnswersBeside(Supplier<HystrixMetricsPublisherCommand> broken) {
    AtomicInteger asked = new AtomicInteger();
    HystrixPlugins.getInstance()
        .registerMetricsPublisher(
            new HystrixMetricsPublisher() {
              @Override
              public HystrixMetricsPublisherCommand getMetricsPublisherForCommand(
                  HystrixCommandKey commandKey,
                  HystrixCommandGroupKey commandGroupKey,
                  HystrixCommandMetrics metrics,
                  HystrixCircuitBreaker circuitBreaker,
                  HystrixCommandProperties properties) {
                asked.incrementAndGet();
                return broken.get();
              }
            });

    assertThat(on(THREAD).execute()).isEqualTo("answer");
    assertThat(asked).hasValue(1);
  }

  @Test
  void publisher_besideAnother_isRefused() {
    HystrixPlugins.getInstance().registerMetricsPublisher(gauges);

    assertThatThrownBy(() -> HystrixPlugins.getInstance().registerMetricsPublisher(new Gauges()))
        .isInstanceOf(IllegalStateException.class);
  }
}
