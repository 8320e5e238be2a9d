// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.RefusalListener;
import dev.tenrec.core.internal.text.LogText;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports each refusal once, until the value of its key changes. */
final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private final RefusalListener listener;

  /** By key. Read and written under the configuration's lock only. */
  private final Map<String, Set<Refusal>> standing = new HashMap<>();

  /** Those of them that go with the last of their instance. As {@link #standing}. */
  private final Set<Refusal> ofInstances = new HashSet<>();

  /** Written under it, read by any thread, ordered by volatile access. */
  private volatile long count;

  private final ReconfigurationLock lock;

  Refusals(RefusalListener listener, ReconfigurationLock lock) {
    this.listener = listener;
    this.lock = lock;
  }

  /** A value was refused because of what stands in its rule, whatever goes by it. */
  void refuse(Refusal refusal) {
    if (isNews(refusal)) {
      report(refusal);
    }
  }

  /** A value was refused for one instance, because of what stands in its rule. */
  void refuseForInstance(Refusal refusal) {
    if (isNews(refusal)) {
      ofInstances.add(refusal);
      report(refusal);
    }
  }

  /** A value was refused because its owner threw this. */
  void refuseForInstance(Refusal refusal, Throwable thrown) {
    if (isNews(refusal)) {
      ofInstances.add(refusal);
      report(refusal, () -> LOG.warn("Refused {}", LogText.of(refusal.toString()), thrown));
    }
  }

  /** Under this key stands what is no setting, so that its value is nothing for the log. */
  void refuseUnknown(Refusal refusal) {
    if (isNews(refusal)) {
      report(
          refusal,
          () -> LOG.warn("Refused {}: {}", LogText.of(refusal.key()), LogText.of(refusal.rule())));
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  private boolean isNews(Refusal refusal) {
    if (!standing.computeIfAbsent(refusal.key(), absent -> new LinkedHashSet<>(2)).add(refusal)) {
      return false;
    }
    count = count + 1;
    return true;
  }

  private void report(Refusal refusal) {
    report(refusal, () -> LOG.warn("Refused {}", LogText.of(refusal.toString())));
  }

  /** Loggers and listeners are user code, so they wait until the lock is released. */
  private void report(Refusal refusal, Runnable line) {
    lock.afterwards(line);
    lock.afterwards(
        () -> {
          try {
            listener.onRefused(refusal);
          } catch (RuntimeException | Error thrown) {
            LOG.error("A refusal listener threw", thrown);
          }
        });
  }

  /** The value of this key has changed: whatever comes next is news. */
  void forget(String key) {
    Set<Refusal> gone = standing.remove(key);
    if (gone != null) {
      gone.forEach(ofInstances::remove);
    }
  }

  /**
   * No instance goes by the value of this key any more: the next one is judged anew. What was
   * refused whatever goes by it is not read again, and stands.
   */
  void forgetInstance(String key) {
    Set<Refusal> present = standing.get(key);
    if (present != null && present.removeIf(ofInstances::remove) && present.isEmpty()) {
      standing.remove(key);
    }
  }

  /**
   * The last refusal that stands under this key; null if there is none. Under the configuration's
   * lock.
   */
  @Nullable Refusal standing(String key) {
    Refusal last = null;
    for (Refusal refusal : standing.getOrDefault(key, Set.of())) {
      last = refusal;
    }
    return last;
  }

  /** Each that was reported and not forgotten, in the order of their keys. */
  List<Refusal> standing() {
    return standing.values().stream()
        .flatMap(Set::stream)
        .sorted(Comparator.comparing(Refusal::key).thenComparing(Refusal::rule))
        .toList();
  }

  boolean isEmpty() {
    return standing.isEmpty();
  }

  long count() {
    return count;
  }
}
