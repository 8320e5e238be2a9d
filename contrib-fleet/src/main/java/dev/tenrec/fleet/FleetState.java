// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.model.Document;
import dev.tenrec.fleet.model.Layer;
import dev.tenrec.fleet.model.Manifest;
import java.util.SortedMap;

/**
 * All of a fleet's settings, of one version.
 *
 * @param manifest which version
 * @param documents by layer, the weakest first; those that were ever written
 */
public record FleetState(Manifest manifest, SortedMap<Layer, Document> documents) {

  /** The document of a layer; an empty one if nothing was ever written to it. */
  public Document of(Layer layer) {
    return documents.getOrDefault(layer, Document.EMPTY);
  }
}
