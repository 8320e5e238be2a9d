// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.view.InventoryListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what there is to those that follow it, after the change. Used under the configuration's
 * lock only.
 */
final class Inventory {

  private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);

  /** One following, which is equal to no other, whatever its listener is equal to. */
  static final class Follower {

    private final InventoryListener listener;

    private Follower(InventoryListener listener) {
      this.listener = listener;
    }
  }

  private final List<Follower> followers = new CopyOnWriteArrayList<>();

  private final Configuration configuration;

  Inventory(Configuration configuration) {
    this.configuration = configuration;
  }

  Follower add(InventoryListener listener) {
    Follower added = new Follower(listener);
    followers.add(added);
    return added;
  }

  /** Nothing is reported to it any more once the lock is released. */
  void remove(Follower follower) {
    boolean unused = followers.remove(follower);
    configuration.afterwards(() -> {}); // so that a report on its way is waited for
  }

  /** To those that follow now. Throws nothing. */
  void report(Consumer<InventoryListener> what) {
    for (Follower follower : followers) {
      report(follower, what);
    }
  }

  void report(Follower follower, Consumer<InventoryListener> what) {
    configuration.afterwards(
        () -> {
          if (followers.contains(follower)) {
            reportNow(follower.listener, what);
          }
        });
  }

  private static void reportNow(InventoryListener listener, Consumer<InventoryListener> what) {
    try {
      what.accept(listener);
    } catch (RuntimeException | Error thrown) {
      LOG.error("An inventory listener threw", thrown);
    }
  }
}
