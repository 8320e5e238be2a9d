// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells each refusal once, until the value of its key changes. */
final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private final RefusalListener listener;

  /** By key. Read and written in the configuration's turn only. */
  private final Map<String, Set<Refusal>> standing = new HashMap<>();

  /** Written in the turn, read by anybody: volatile. */
  private volatile long count;

  Refusals(RefusalListener listener) {
    this.listener = listener;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  void refuse(Refusal refusal) {
    if (!standing.computeIfAbsent(refusal.key(), absent -> new HashSet<>(2)).add(refusal)) {
      return;
    }
    count = count + 1;
    LOG.warn("Refused {}", refusal);
    try {
      listener.onRefused(refusal);
    } catch (RuntimeException | Error thrown) {
      LOG.error("A refusal listener threw", thrown);
    }
  }

  /**
   * The value of this key has changed, or nobody asks for it any more: whatever comes next is news.
   */
  void forget(String key) {
    standing.remove(key);
  }

  boolean isEmpty() {
    return standing.isEmpty();
  }

  long count() {
    return count;
  }
}
