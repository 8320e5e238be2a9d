// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

/** Is notified by a store, on a thread of the store's; must not wait. */
public interface StoreListener {

  /** Something that is watched may have changed. */
  void changed();

  /** The engine has been found again; anything may have changed meanwhile. */
  void connected();

  /** The engine has been lost. */
  void disconnected();
}
