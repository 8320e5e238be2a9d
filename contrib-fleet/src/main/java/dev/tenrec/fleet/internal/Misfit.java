// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import java.util.Set;

/** What does not fit together, in words. */
public final class Misfit {

  /** How the words begin for a document that a change under way has just written. */
  static final String NEWER = "newer: ";

  private Misfit() {}

  /**
   * Whether the document of a layer was left out because it does not fit.
   *
   * @param read the layers whose documents do
   */
  public static boolean isOf(FleetLayer layer, Set<FleetLayer> read, Manifest manifest) {
    return manifest.of(layer) > 0 && !read.contains(layer);
  }

  /** Of a layer whose document was left out. */
  public static String leftOut(FleetLayer layer, Manifest manifest) {
    return "the document "
        + layer
        + " is missing, older or damaged: the manifest names its version "
        + manifest.of(layer)
        + "; instances that read it take no change until it is mended";
  }

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
