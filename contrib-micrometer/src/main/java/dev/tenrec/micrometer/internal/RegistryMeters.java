// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal;

import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import dev.tenrec.metrics.latency.LatencyTotals;
import dev.tenrec.metrics.view.CommandTotals;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The meters of one registry. They come and go with what they are of: each is a function of a view,
 * which is asked when the registry publishes.
 */
public final class RegistryMeters implements InventoryListener {

  /** The registry has weak references only, so what its meters read is held here. */
  private record Bound(Object source, List<Meter> meters) {}

  private final MeterRegistry registry;
  private final Tags common;

  /** By their subject. Guarded by this. */
  private final IdentityHashMap<Object, Bound> bound = new IdentityHashMap<>();

  /** Guarded by this. */
  private boolean closed;

  /**
   * Into this registry.
   *
   * @param common tags of all meters
   */
  public RegistryMeters(MeterRegistry registry, Tags common) {
    this.registry = registry;
    this.common = common;
  }

  /**
   * Registers meters for {@code subject}, which read {@code source}: all of them, or none.
   *
   * @throws RuntimeException as the registry does, such as where a name is that of meters of
   *     another kind
   */
  public <S> List<Meter> add(Object subject, S source, Tags tags, List<Family<S>> families) {
    return add(subject, source, tags, families, (all, meters) -> {});
  }

  private synchronized <S> List<Meter> add(
      Object subject,
      S source,
      Tags tags,
      List<Family<S>> families,
      BiConsumer<Tags, List<Meter>> more) {
    if (closed) {
      return List.of();
    }
    Tags all = common.and(tags);
    List<Meter> meters = new ArrayList<>();
    try {
      for (Family<S> family : families) {
        for (Family.Series<S> series : family.series()) {
          meters.add(register(source, family, series, all.and(series.tags())));
        }
      }
      more.accept(all, meters);
    } catch (RuntimeException | Error refused) {
      meters.forEach(registry::remove);
      throw refused;
    }
    bound.put(subject, new Bound(source, meters));
    return meters;
  }

  private <S> Meter register(S source, Family<S> family, Family.Series<S> series, Tags tags) {
    return family.counter()
        ? FunctionCounter.builder(family.name(), source, series.value())
            .description(family.description())
            .tags(tags)
            .register(registry)
        : Gauge.builder(family.name(), source, series.value())
            .description(family.description())
            .tags(tags)
            .register(registry);
  }

  private Meter latency(
      String name,
      String help,
      CommandReader reader,
      Tags tags,
      Function<CommandTotals, LatencyTotals> which) {
    return FunctionTimer.builder(
            name,
            reader,
            from -> which.apply(from.totals()).count(),
            from -> which.apply(from.totals()).sumNanos(),
            TimeUnit.NANOSECONDS)
        .description(help)
        .tags(tags)
        .register(registry);
  }

  /** Takes out what was registered for this subject. */
  public synchronized void remove(Object subject) {
    Bound gone = bound.remove(subject);
    if (gone != null) {
      gone.meters().forEach(registry::remove);
    }
  }

  /** Takes out all there is; what comes later is not registered any more. */
  public synchronized void close() {
    closed = true;
    List.copyOf(bound.keySet()).forEach(this::remove);
  }

  @Override
  public void onCommandAdded(CommandDetails command) {
    CommandReader reader = CommandReader.live(command);
    add(
        command,
        reader,
        Catalog.tags(command),
        Catalog.OF_COMMAND,
        (tags, meters) -> {
          meters.add(
              latency(
                  Catalog.EXECUTION,
                  Catalog.EXECUTION_HELP,
                  reader,
                  tags,
                  CommandTotals::execution));
          meters.add(
              latency(Catalog.CALLER, Catalog.CALLER_HELP, reader, tags, CommandTotals::caller));
        });
  }

  @Override
  public void onCommandRemoved(CommandDetails command) {
    remove(command);
  }

  @Override
  public void onPoolAdded(PoolDetails pool) {
    add(pool, pool, Catalog.tags(pool), Catalog.OF_POOL);
  }

  @Override
  public void onPoolRemoved(PoolDetails pool) {
    remove(pool);
  }

  @Override
  public void onCollapserAdded(CollapserDetails collapser) {
    add(collapser, collapser, Catalog.tags(collapser), Catalog.OF_COLLAPSER);
  }

  @Override
  public void onCollapserRemoved(CollapserDetails collapser) {
    remove(collapser);
  }

  @Override
  public void onRateLimiterAdded(RateLimiterDetails limiter) {
    add(limiter, limiter, Catalog.tags(limiter), Catalog.OF_RATE_LIMITER);
  }

  @Override
  public void onRateLimiterRemoved(RateLimiterDetails limiter) {
    remove(limiter);
  }

  @Override
  public void onRetryBudgetAdded(RetryBudgetDetails budget) {
    add(budget, budget, Catalog.tags(budget), Catalog.OF_RETRY_BUDGET);
  }

  @Override
  public void onRetryBudgetRemoved(RetryBudgetDetails budget) {
    remove(budget);
  }

  @Override
  public void onSemaphoreAdded(SemaphoreDetails semaphore) {
    add(semaphore, semaphore, Catalog.tags(semaphore), Catalog.OF_SEMAPHORE);
  }

  @Override
  public void onSemaphoreRemoved(SemaphoreDetails semaphore) {
    remove(semaphore);
  }
}
