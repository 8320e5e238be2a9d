// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.FleetLayer;

/** What does not fit together, in words. */
final class Misfit {

  /** How the words begin for a document that a change under way has just written. */
  static final String NEWER = "newer: ";

  private Misfit() {}

  static String missing(FleetLayer layer, long version) {
    return "the document " + layer + " is missing: the manifest names its version " + version;
  }

  static String of(FleetLayer layer, long has, long named) {
    return (has > named ? NEWER : "")
        + "the document "
        + layer
        + " has version "
        + has
        + ", and the manifest names its version "
        + named;
  }
}
