// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one layer sets.
 *
 * @param version the version of the fleet's settings that wrote it
 * @param settings by full key, as {@code tenrec.command.GetQuote.circuitBreaker.forceOpen}
 * @param canary which instances it is for, and until when; only in the canary's layer, and null if
 *     there is no canary
 * @param author of that version; null if it was not written yet, or by an older Tenrec
 * @param previous the version that wrote this layer before; 0 if none did, or an older Tenrec
 */
public record FleetDocument(
    long version,
    Map<String, Setting> settings,
    @Nullable Canary canary,
    @Nullable String author,
    long previous) {

  /** Of a layer that nothing was ever written to. */
  public static final FleetDocument EMPTY = new FleetDocument(0, Map.of(), null);

  /** One that was not written yet. */
  public FleetDocument(long version, Map<String, Setting> settings, @Nullable Canary canary) {
    this(version, settings, canary, null, 0);
  }

  /** Copies the settings. */
  public FleetDocument {
    settings = settings == null ? Map.of() : Map.copyOf(settings);
  }
}
