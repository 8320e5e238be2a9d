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
 */
public record Document(long version, Map<String, Setting> settings, @Nullable Canary canary) {

  /** Of a layer that nothing was ever written to. */
  public static final Document EMPTY = new Document(0, Map.of(), null);

  /** Copies the settings. */
  public Document {
    settings = settings == null ? Map.of() : Map.copyOf(settings);
  }
}
