// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import java.util.Map;

/**
 * A version of the fleet's settings, as far as it concerns its reader.
 *
 * @param manifest which version
 * @param documents those of the layers that were asked for and have one
 */
public record Held(Manifest manifest, Map<FleetLayer, Kept> documents) {

  /** What is held before anything was read. */
  public static final Held NOTHING = new Held(Manifest.EMPTY, Map.of());

  /**
   * A document, and when it was written.
   *
   * @param document the document
   * @param writtenMillis when, by the store's clock
   */
  public record Kept(FleetDocument document, long writtenMillis) {

    static final Kept NOTHING = new Kept(FleetDocument.EMPTY, 0);
  }

  /** Copies the documents. */
  public Held {
    documents = Map.copyOf(documents);
  }

  /** The document of a layer; an empty one if it has none. */
  public Kept of(FleetLayer layer) {
    return documents.getOrDefault(layer, Kept.NOTHING);
  }
}
