// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal.prometheus;

import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.micrometer.internal.Binding;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Function;

/** Gives a Prometheus registry a collector of its own. Loaded only where there is the client. */
public final class PrometheusBinding {

  private PrometheusBinding() {}

  /** Whether it is one. */
  public static boolean suits(MeterRegistry registry) {
    return registry instanceof PrometheusMeterRegistry;
  }

  /**
   * Begins to collect. What fails leaves no collector behind.
   *
   * @param follow has a listener follow the Tenrec; where there is no memory it may fail
   * @param tags of all series
   * @param boundsNanos of the classic histograms
   * @throws IllegalStateException if the registry has collectors of these names
   */
  public static Binding bind(
      MeterRegistry registry,
      Function<InventoryListener, Subscription> follow,
      Tags tags,
      long[] boundsNanos) {
    PrometheusMeterRegistry micrometers = (PrometheusMeterRegistry) registry;
    PrometheusRegistry prometheus = micrometers.getPrometheusRegistry();
    TenrecCollector collector =
        new TenrecCollector(micrometers.config().namingConvention(), tags, boundsNanos);
    try {
      prometheus.register(collector);
    } catch (RuntimeException refused) { // by the client, in a way that depends on its version
      throw new IllegalStateException(
          "the Prometheus registry has a collector of these names, of another Tenrec: only one"
              + " of them may have a collector",
          refused);
    }
    Subscription following;
    try {
      following = follow.apply(collector);
    } catch (RuntimeException | Error failed) {
      prometheus.unregister(collector);
      throw failed;
    }
    return () -> {
      following.close();
      prometheus.unregister(collector);
    };
  }
}
