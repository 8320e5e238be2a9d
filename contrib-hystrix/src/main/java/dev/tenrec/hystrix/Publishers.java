// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.metrics.HystrixMetricsPublisher;
import dev.tenrec.hystrix.strategy.metrics.HystrixMetricsPublisherDefault;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the registered publisher publish what one Tenrec was asked for. Thread-safe. */
final class Publishers {

  private static final Logger LOG = LoggerFactory.getLogger(Publishers.class);

  /** What is published or was to be, by its kind and key. */
  private final Set<String> published = ConcurrentHashMap.newKeySet();

  /** On the thread that made it known, which holds no lock. */
  void publish(KnownCommand known) {
    if (registered() == null) {
      return;
    }
    once(
        "command " + known.key(),
        publisher ->
            publisher
                .getMetricsPublisherForCommand(
                    known.description.key(),
                    known.description.group(),
                    known.metrics,
                    HystrixCircuitBreaker.Factory.of(known),
                    known.properties)
                .initialize());
    HystrixThreadPoolMetrics pool =
        HystrixThreadPoolMetrics.of(known.keys.tenrec, known.description.poolKey().name());
    if (pool != null) {
      once(
          "pool " + known.description.poolKey().name(),
          publisher ->
              publisher
                  .getMetricsPublisherForThreadPool(
                      known.description.poolKey(), pool, pool.getProperties())
                  .initialize());
    }
  }

  /** As for a command. */
  void publish(HystrixCollapserMetrics metrics) {
    once(
        "collapser " + metrics.getCollapserKey().name(),
        publisher ->
            publisher
                .getMetricsPublisherForCollapser(
                    metrics.getCollapserKey(), metrics, metrics.getProperties())
                .initialize());
  }

  private void once(String what, Consumer<HystrixMetricsPublisher> publish) {
    HystrixMetricsPublisher publisher = registered();
    if (publisher == null || !published.add(what)) {
      return;
    }
    try {
      publish.accept(publisher);
    } catch (Throwable thrown) { // a missing class, too
      LOG.error("{} does not publish {}, which changes nothing else", publisher, what, thrown);
    }
  }

  private static @Nullable HystrixMetricsPublisher registered() {
    HystrixMetricsPublisher publisher = HystrixPlugins.getInstance().getMetricsPublisher();
    return publisher == HystrixMetricsPublisherDefault.getInstance() ? null : publisher;
  }

  /** All is to be published again, once it is known again. */
  void forget() {
    published.clear();
  }
}
