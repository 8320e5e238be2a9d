// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.view.InventoryListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports what there is to those that follow it. Used in the configuration's turn only. */
final class Inventory {

  private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);

  private final List<InventoryListener> listeners = new CopyOnWriteArrayList<>();

  void add(InventoryListener listener) {
    listeners.add(listener);
  }

  void remove(InventoryListener listener) {
    boolean unused = listeners.remove(listener);
  }

  /** Throws nothing. */
  void report(Consumer<InventoryListener> what) {
    listeners.forEach(listener -> report(listener, what));
  }

  static void report(InventoryListener listener, Consumer<InventoryListener> what) {
    try {
      what.accept(listener);
    } catch (RuntimeException | Error thrown) {
      LOG.error("An inventory listener threw", thrown);
    }
  }
}
