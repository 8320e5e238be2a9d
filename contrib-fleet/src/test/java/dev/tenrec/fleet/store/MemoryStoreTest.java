// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

/** The store in memory does what every store does. */
class MemoryStoreTest extends FleetStoreContract {

  private final MemoryStore engine = new MemoryStore();

  @Override
  protected FleetStore open() {
    return engine.connect("alice");
  }

  @Override
  protected String principal() {
    return "alice";
  }
}
