// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import dev.tenrec.metrics.view.PoolSnapshot;
import dev.tenrec.metrics.view.PoolView;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The pools of each Tenrec there is, for the samples of recordings. */
final class SampledPools {

  /**
   * Added to and removed from by those that build and close a Tenrec, read by the recorder, ordered
   * by its monitor. Weak, for a Tenrec that is never closed.
   */
  private static final Set<Supplier<? extends List<? extends PoolView>>> ALL =
      Collections.newSetFromMap(new WeakHashMap<>());

  private SampledPools() {}

  static void add(Supplier<? extends List<? extends PoolView>> pools) {
    synchronized (ALL) {
      boolean unused = ALL.add(pools);
    }
  }

  /** Returns whether none is left. */
  static boolean remove(Supplier<? extends List<? extends PoolView>> pools) {
    synchronized (ALL) {
      boolean unused = ALL.remove(pools);
      return ALL.isEmpty();
    }
  }

  static void forEach(Consumer<PoolSnapshot> sample) {
    List<Supplier<? extends List<? extends PoolView>>> present;
    synchronized (ALL) {
      present = List.copyOf(ALL);
    }
    present.forEach(pools -> pools.get().forEach(pool -> sample.accept(pool.snapshot())));
  }
}
