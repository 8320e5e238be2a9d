// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal.prometheus;

import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import dev.tenrec.metrics.latency.SizeTotals;
import dev.tenrec.metrics.view.CommandTotals;
import dev.tenrec.micrometer.internal.Catalog;
import dev.tenrec.micrometer.internal.CommandReader;
import dev.tenrec.micrometer.internal.Family;
import dev.tenrec.micrometer.internal.Family.Series;
import dev.tenrec.micrometer.internal.prometheus.Subjects.Entry;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.NamingConvention;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What one scrape reads: the names and numbers that Micrometer would publish, read once for each
 * command, and histograms, which Micrometer cannot make of what was recorded elsewhere.
 */
final class TenrecCollector implements MultiCollector, InventoryListener {

  private static final int[] BATCH_SIZES = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

  /** The same with infinity at the end. */
  private static final double[] BATCH_BOUNDS =
      DoubleStream.concat(
              Arrays.stream(BATCH_SIZES).asDoubleStream(),
              DoubleStream.of(Double.POSITIVE_INFINITY))
          .toArray();

  private final NamingConvention convention;
  private final HistogramPoints histograms;
  private final Subjects<CommandReader> commands;
  private final Subjects<PoolDetails> pools;
  private final Subjects<SemaphoreDetails> semaphores;
  private final Subjects<RateLimiterDetails> rateLimiters;
  private final Subjects<RetryBudgetDetails> retryBudgets;
  private final Subjects<CollapserDetails> collapsers;

  TenrecCollector(NamingConvention convention, Tags common, long[] boundsNanos) {
    this.convention = convention;
    this.histograms = new HistogramPoints(boundsNanos);
    this.commands = new Subjects<>(Catalog.OF_COMMAND, convention, common);
    this.pools = new Subjects<>(Catalog.OF_POOL, convention, common);
    this.semaphores = new Subjects<>(Catalog.OF_SEMAPHORE, convention, common);
    this.rateLimiters = new Subjects<>(Catalog.OF_RATE_LIMITER, convention, common);
    this.retryBudgets = new Subjects<>(Catalog.OF_RETRY_BUDGET, convention, common);
    this.collapsers = new Subjects<>(Catalog.OF_COLLAPSER, convention, common);
  }

  @Override
  public MetricSnapshots collect() {
    List<Entry<CommandReader>> read =
        commands.all().stream()
            .map(each -> new Entry<>(each.source().now(), each.labels(), each.seriesLabels()))
            .toList();
    List<MetricSnapshot> all = new ArrayList<>();
    addFamilies(all, commands.families(), read);
    addLatencies(all, read);
    addFamilies(all, pools.families(), pools.all());
    addFamilies(all, semaphores.families(), semaphores.all());
    addFamilies(all, rateLimiters.families(), rateLimiters.all());
    addFamilies(all, retryBudgets.families(), retryBudgets.all());
    List<Entry<CollapserDetails>> batching = collapsers.all();
    addFamilies(all, collapsers.families(), batching);
    addBatchSizes(all, batching);
    return new MetricSnapshots(all);
  }

  /** So that another collector with these names is refused when it comes, not at each scrape. */
  @Override
  public List<String> getPrometheusNames() {
    List<String> names = new ArrayList<>();
    commands.families().forEach(family -> names.add(name(family)));
    pools.families().forEach(family -> names.add(name(family)));
    semaphores.families().forEach(family -> names.add(name(family)));
    rateLimiters.families().forEach(family -> names.add(name(family)));
    retryBudgets.families().forEach(family -> names.add(name(family)));
    collapsers.families().forEach(family -> names.add(name(family)));
    names.add(name(Catalog.EXECUTION, Meter.Type.TIMER));
    names.add(name(Catalog.CALLER, Meter.Type.TIMER));
    names.add(name(Catalog.BATCH_SIZE, Meter.Type.DISTRIBUTION_SUMMARY));
    return names;
  }

  private <S> void addFamilies(
      List<MetricSnapshot> all, List<Family<S>> families, List<Entry<S>> entries) {
    if (entries.isEmpty()) {
      return;
    }
    for (int i = 0; i < families.size(); i++) {
      all.add(family(families.get(i), i, entries));
    }
  }

  private <S> MetricSnapshot family(Family<S> family, int index, List<Entry<S>> entries) {
    MetricMetadata metadata = new MetricMetadata(name(family), family.description());
    return family.counter()
        ? new CounterSnapshot(
            metadata,
            points(
                family,
                index,
                entries,
                (value, labels) -> new CounterDataPointSnapshot(value, labels, null, 0)))
        : new GaugeSnapshot(
            metadata,
            points(
                family,
                index,
                entries,
                (value, labels) -> new GaugeDataPointSnapshot(value, labels, null)));
  }

  /** Makes a point of a number; without a builder, for a scrape has tens of thousands. */
  private interface Point<P> {
    P of(double value, Labels labels);
  }

  private static <S, P> List<P> points(
      Family<S> family, int index, List<Entry<S>> entries, Point<P> point) {
    List<Series<S>> series = family.series();
    List<P> points = new ArrayList<>(entries.size() * series.size());
    for (Entry<S> entry : entries) {
      List<Labels> labels = entry.seriesLabels().get(index);
      for (int i = 0; i < labels.size(); i++) {
        points.add(point.of(series.get(i).value().applyAsDouble(entry.source()), labels.get(i)));
      }
    }
    return points;
  }

  private void addLatencies(List<MetricSnapshot> all, List<Entry<CommandReader>> entries) {
    if (entries.isEmpty()) {
      return;
    }
    List<HistogramDataPointSnapshot> executions = new ArrayList<>(entries.size());
    List<HistogramDataPointSnapshot> callers = new ArrayList<>(entries.size());
    for (Entry<CommandReader> entry : entries) {
      CommandTotals totals = entry.source().totals();
      HistogramDataPointSnapshot execution = histograms.of(totals.execution(), entry.labels());
      executions.add(execution);
      callers.add(
          totals.caller() == totals.execution()
              ? execution
              : histograms.of(totals.caller(), entry.labels()));
    }
    all.add(latency(Catalog.EXECUTION, Catalog.EXECUTION_HELP, executions));
    all.add(latency(Catalog.CALLER, Catalog.CALLER_HELP, callers));
  }

  private MetricSnapshot latency(
      String name, String help, List<HistogramDataPointSnapshot> points) {
    return new HistogramSnapshot(new MetricMetadata(name(name, Meter.Type.TIMER), help), points);
  }

  private void addBatchSizes(List<MetricSnapshot> all, List<Entry<CollapserDetails>> entries) {
    if (entries.isEmpty()) {
      return;
    }
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder()
            .name(name(Catalog.BATCH_SIZE, Meter.Type.DISTRIBUTION_SUMMARY))
            .help(Catalog.BATCH_SIZE_HELP);
    for (Entry<CollapserDetails> entry : entries) {
      SizeTotals sizes = entry.source().batchSizeTotals();
      histogram.dataPoint(
          HistogramDataPointSnapshot.builder()
              .labels(entry.labels())
              .sum(sizes.sum())
              .classicHistogramBuckets(
                  ClassicHistogramBuckets.of(
                      BATCH_BOUNDS,
                      HistogramPoints.counts(sizes.countsUpTo(BATCH_SIZES), sizes.count())))
              .build());
    }
    all.add(histogram.build());
  }

  private String name(Family<?> family) {
    return name(family.name(), family.counter() ? Meter.Type.COUNTER : Meter.Type.GAUGE);
  }

  private String name(String name, Meter.Type type) {
    String published = convention.name(name, type, null);
    // the model adds it where the format wants it
    return published.endsWith("_total")
        ? published.substring(0, published.length() - "_total".length())
        : published;
  }

  @Override
  public void onCommandAdded(CommandDetails command) {
    commands.add(command, CommandReader.live(command), Catalog.tags(command));
  }

  @Override
  public void onCommandRemoved(CommandDetails command) {
    commands.remove(command);
  }

  @Override
  public void onPoolAdded(PoolDetails pool) {
    pools.add(pool, pool, Catalog.tags(pool));
  }

  @Override
  public void onPoolRemoved(PoolDetails pool) {
    pools.remove(pool);
  }

  @Override
  public void onCollapserAdded(CollapserDetails collapser) {
    collapsers.add(collapser, collapser, Catalog.tags(collapser));
  }

  @Override
  public void onCollapserRemoved(CollapserDetails collapser) {
    collapsers.remove(collapser);
  }

  @Override
  public void onRateLimiterAdded(RateLimiterDetails limiter) {
    rateLimiters.add(limiter, limiter, Catalog.tags(limiter));
  }

  @Override
  public void onRateLimiterRemoved(RateLimiterDetails limiter) {
    rateLimiters.remove(limiter);
  }

  @Override
  public void onRetryBudgetAdded(RetryBudgetDetails budget) {
    retryBudgets.add(budget, budget, Catalog.tags(budget));
  }

  @Override
  public void onRetryBudgetRemoved(RetryBudgetDetails budget) {
    retryBudgets.remove(budget);
  }

  @Override
  public void onSemaphoreAdded(SemaphoreDetails semaphore) {
    semaphores.add(semaphore, semaphore, Catalog.tags(semaphore));
  }

  @Override
  public void onSemaphoreRemoved(SemaphoreDetails semaphore) {
    semaphores.remove(semaphore);
  }
}
