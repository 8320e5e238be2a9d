// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal.prometheus;

import dev.tenrec.micrometer.internal.Family;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.NamingConvention;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All commands, or all of another kind, each with its labels, which are made once.
 *
 * @param <S> what the numbers are read from
 */
final class Subjects<S> {

  /**
   * One of them.
   *
   * @param source what its numbers are read from
   * @param labels its own
   * @param seriesLabels its own and a series', by family and series
   */
  record Entry<S>(S source, Labels labels, List<List<Labels>> seriesLabels) {}

  /** Their series in the order of the labels, as the entries are, so that a scrape is sorted. */
  private final List<Family<S>> families;

  private final NamingConvention convention;
  private final Tags common;

  /** Guarded by itself. */
  private final IdentityHashMap<Object, Entry<S>> entries = new IdentityHashMap<>();

  /**
   * All entries in the order of their labels, which is that of a scrape: sorting what is sorted
   * costs it little. Guarded by {@link #entries}; null if these have changed since.
   */
  private @Nullable List<Entry<S>> inOrder;

  Subjects(List<Family<S>> families, NamingConvention convention, Tags common) {
    this.convention = convention;
    this.common = common;
    this.families = families.stream().map(this::inOrder).toList();
  }

  void add(Object subject, S source, Tags tags) {
    Tags own = common.and(tags);
    List<List<Labels>> seriesLabels =
        families.stream()
            .map(
                family ->
                    family.series().stream().map(each -> labels(own.and(each.tags()))).toList())
            .toList();
    synchronized (entries) {
      entries.put(subject, new Entry<>(source, labels(own), seriesLabels));
      inOrder = null;
    }
  }

  void remove(Object subject) {
    synchronized (entries) {
      entries.remove(subject);
      inOrder = null;
    }
  }

  List<Family<S>> families() {
    return families;
  }

  /** As they are now; a list that does not change has none twice, which a scrape would fail of. */
  List<Entry<S>> all() {
    synchronized (entries) {
      List<Entry<S>> all = inOrder;
      if (all == null) {
        all = entries.values().stream().sorted(Comparator.comparing(Entry::labels)).toList();
        inOrder = all;
      }
      return all;
    }
  }

  private Family<S> inOrder(Family<S> family) {
    return new Family<>(
        family.name(),
        family.description(),
        family.counter(),
        family.series().stream()
            .sorted(Comparator.comparing(each -> labels(each.tags())))
            .toList());
  }

  private Labels labels(Tags tags) {
    Labels.Builder labels = Labels.builder();
    for (Tag tag : tags) {
      labels.label(convention.tagKey(tag.getKey()), convention.tagValue(tag.getValue()));
    }
    return labels.build();
  }
}
