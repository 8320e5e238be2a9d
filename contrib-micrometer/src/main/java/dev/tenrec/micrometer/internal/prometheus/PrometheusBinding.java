// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal.prometheus;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.micrometer.internal.Binding;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** Gives a Prometheus registry a collector of its own. Loaded only where there is the client. */
public final class PrometheusBinding {

  private PrometheusBinding() {}

  /** Whether it is one. */
  public static boolean suits(MeterRegistry registry) {
    return registry instanceof PrometheusMeterRegistry;
  }

  /**
   * Begins to collect.
   *
   * @param tags of all series
   * @param boundsNanos of the classic histograms
   * @throws RuntimeException of a type that depends on the client's version, if the registry has
   *     collectors of these names
   */
  public static Binding bind(MeterRegistry registry, Tenrec tenrec, Tags tags, long[] boundsNanos) {
    PrometheusMeterRegistry prometheus = (PrometheusMeterRegistry) registry;
    TenrecCollector collector =
        new TenrecCollector(prometheus.config().namingConvention(), tags, boundsNanos);
    prometheus.getPrometheusRegistry().register(collector);
    Subscription following = tenrec.follow(collector);
    return () -> {
      following.close();
      prometheus.getPrometheusRegistry().unregister(collector);
    };
  }
}
