// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.FleetRefusedException.Reason;
import dev.tenrec.fleet.internal.Edit;
import dev.tenrec.fleet.internal.Misfit;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.model.Setting;
import java.util.HashMap;
import java.util.Map;

/** What ends a canary, as {@link Edit}s. */
final class CanaryEdits {

  private CanaryEdits() {}

  /** Its settings become the fleet's; refused where a zone would beat one of them, or may. */
  static Edit.Outcome promoted(
      Map<FleetLayer, FleetDocument> now, Manifest manifest, long version) {
    FleetDocument canary = running(now, manifest);
    for (String named : manifest.layers().keySet()) {
      FleetLayer layer = FleetLayer.parse(named);
      if (layer.kind() == FleetLayer.Kind.ZONE && Misfit.isOf(layer, now.keySet(), manifest)) {
        throw new FleetRefusedException(
            Reason.INVALID,
            Misfit.leftOut(layer, manifest) + ", and it may beat what is promoted: mend it first");
      }
    }
    for (var entry : now.entrySet()) {
      if (entry.getKey().kind() == FleetLayer.Kind.ZONE) {
        canary.settings().keySet().stream()
            .filter(entry.getValue().settings()::containsKey)
            .findFirst()
            .ifPresent(
                key -> {
                  throw new FleetRefusedException(
                      Reason.MASKED,
                      "the canary cannot be promoted: "
                          + entry.getKey()
                          + " sets "
                          + key
                          + " as well, and would beat it");
                });
      }
    }
    Map<String, Setting> settings =
        new HashMap<>(now.getOrDefault(FleetLayer.FLEET, FleetDocument.EMPTY).settings());
    settings.putAll(canary.settings());
    return new Edit.Outcome(
        Map.of(
            FleetLayer.FLEET,
            new FleetDocument(version, settings, null),
            FleetLayer.CANARY,
            new FleetDocument(version, Map.of(), null)),
        manifest.frozen());
  }

  /** Its settings go. */
  static Edit.Outcome rolledBack(
      Map<FleetLayer, FleetDocument> now, Manifest manifest, long version) {
    if (!Misfit.isOf(FleetLayer.CANARY, now.keySet(), manifest)) {
      FleetDocument unused = running(now, manifest);
    }
    return new Edit.Outcome(
        Map.of(FleetLayer.CANARY, new FleetDocument(version, Map.of(), null)), manifest.frozen());
  }

  private static FleetDocument running(Map<FleetLayer, FleetDocument> now, Manifest manifest) {
    if (Misfit.isOf(FleetLayer.CANARY, now.keySet(), manifest)) {
      throw new FleetRefusedException(
          Reason.INVALID, Misfit.leftOut(FleetLayer.CANARY, manifest) + ": roll it back");
    }
    FleetDocument canary = now.getOrDefault(FleetLayer.CANARY, FleetDocument.EMPTY);
    if (canary.canary() == null) {
      throw new FleetRefusedException(Reason.INVALID, "there is no canary");
    }
    return canary;
  }
}
