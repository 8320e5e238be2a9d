// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.FleetLayer;
import java.util.Locale;

/** Under which names a store keeps what. */
public final class Names {

  /** The manifest; the guard of every transaction. */
  public static final String HEAD = "head";

  /** What instances report. */
  public static final String APPLIED = "applied";

  /** What was changed. */
  public static final String HISTORY = "history";

  private static final String IDS = "ids";
  private static final int DIGITS = 32;

  private Names() {}

  /** The document of a layer. */
  public static String of(FleetLayer layer) {
    return "config/" + layer;
  }

  /** The history's entry of a version; their order is that of the versions. */
  public static String history(long version) {
    return HISTORY + "/" + String.format(Locale.ROOT, "%019d", version);
  }

  /**
   * Which version has a change with this id. By its hash, because an id is any text, and a name is
   * not.
   */
  public static String id(String id) {
    return IDS + "/" + Digest.of(id).substring(0, DIGITS);
  }

  /** The report of an instance. */
  public static String applied(String instance) {
    return APPLIED + "/" + instance;
  }
}
