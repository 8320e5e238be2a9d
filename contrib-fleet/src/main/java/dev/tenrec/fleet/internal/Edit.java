// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a change out of what there is; run again if another change came between. */
@FunctionalInterface
public interface Edit {

  /**
   * What the layers become.
   *
   * @param documents those that change, whole; their version is set when they are written
   * @param frozen why nothing may be changed from then on; null if it may
   */
  record Outcome(Map<FleetLayer, FleetDocument> documents, @Nullable String frozen) {}

  /**
   * Makes it.
   *
   * @param now what there is; keys are in their one spelling, limited settings have their
   *     beginning, those that are over are gone
   * @param nextVersion the version it will be
   */
  Outcome apply(Map<FleetLayer, FleetDocument> now, Manifest manifest, long nextVersion);
}
