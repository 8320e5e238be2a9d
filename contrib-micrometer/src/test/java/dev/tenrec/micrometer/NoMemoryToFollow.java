// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.view.InventoryListener;
import java.util.function.Function;

/** Follows a Tenrec, but at first has no memory for it. */
final class NoMemoryToFollow implements Function<InventoryListener, Subscription> {

  private final Tenrec tenrec;

  /** Thrown as long as it is there. */
  private OutOfMemoryError thrown;

  NoMemoryToFollow(Tenrec tenrec, OutOfMemoryError thrown) {
    this.tenrec = tenrec;
    this.thrown = thrown;
  }

  void end() {
    thrown = null;
  }

  @Override
  public Subscription apply(InventoryListener listener) {
    if (thrown != null) {
      throw thrown;
    }
    return tenrec.follow(listener);
  }
}
