// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import java.util.SortedMap;

/**
 * All of a fleet's settings, of one version.
 *
 * @param manifest which version
 * @param documents by layer, the weakest first; those that were ever written, without any that is
 *     missing, older than the manifest says, or damaged
 */
public record FleetState(Manifest manifest, SortedMap<FleetLayer, FleetDocument> documents) {

  /** The document of a layer; an empty one if there is none. */
  public FleetDocument of(FleetLayer layer) {
    return documents.getOrDefault(layer, FleetDocument.EMPTY);
  }
}
