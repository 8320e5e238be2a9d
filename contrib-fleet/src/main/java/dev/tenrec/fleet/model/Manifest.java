// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The head of a fleet's settings: which version they have, and which version wrote each layer.
 *
 * @param version rises by 1 with each change; 0 if nothing was ever written
 * @param lineage made up with the first version: a store that was lost and begun anew has another
 * @param layers the version that last wrote each layer, by its text
 * @param frozen why nothing may be changed; null if it may
 * @param author of the version; null if nothing was ever written
 * @param reason why; null likewise
 */
public record Manifest(
    long version,
    String lineage,
    Map<String, Long> layers,
    @Nullable String frozen,
    @Nullable String author,
    @Nullable String reason) {

  /** Of a store that nothing was ever written to. */
  public static final Manifest EMPTY = new Manifest(0, "", Map.of(), null, null, null);

  /** Copies the layers. No lineage is an empty one: a text that a person wrote may lack it. */
  public Manifest {
    lineage = lineage == null ? "" : lineage;
    layers = layers == null ? Map.of() : Map.copyOf(layers);
  }

  /** The version that last wrote this layer; 0 for none. */
  public long of(FleetLayer layer) {
    return layers.getOrDefault(layer.toString(), 0L);
  }
}
