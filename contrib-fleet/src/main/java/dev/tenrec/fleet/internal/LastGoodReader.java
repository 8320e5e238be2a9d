// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.internal.Held.Kept;
import dev.tenrec.fleet.internal.LastGood.Content;
import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.CanaryGuard;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.model.Setting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes what {@link LastGood} has written of its text, field by field. */
final class LastGoodReader {

  private LastGoodReader() {}

  static Content content(JsonTree file) {
    Map<FleetLayer, Kept> documents = new HashMap<>();
    JsonTree layers = file.treeOrEmpty("documents");
    for (String layer : layers.names()) {
      JsonTree kept = layers.treeOrEmpty(layer);
      documents.put(
          FleetLayer.parse(layer),
          new Kept(document(kept.treeOrEmpty("document")), kept.numberOrZero("writtenMillis")));
    }
    return new Content(
        file.textOrEmpty("instance"),
        new Held(manifest(file.treeOrEmpty("manifest")), documents),
        file.numberOrZero("leftCanary"),
        file.numberOrZero("storeMillis"),
        file.numberOrZero("wallMillis"));
  }

  private static Manifest manifest(JsonTree tree) {
    JsonTree versions = tree.treeOrEmpty("layers");
    Map<String, Long> layers = new HashMap<>();
    versions.names().forEach(layer -> layers.put(layer, versions.numberOrZero(layer)));
    return new Manifest(
        tree.numberOrZero("version"),
        tree.textOrEmpty("lineage"),
        layers,
        tree.text("frozen"),
        tree.text("author"),
        tree.text("reason"));
  }

  private static FleetDocument document(JsonTree tree) {
    JsonTree byKey = tree.treeOrEmpty("settings");
    Map<String, Setting> settings = new HashMap<>();
    byKey.names().forEach(key -> settings.put(key, setting(byKey.treeOrEmpty(key))));
    return new FleetDocument(
        tree.numberOrZero("version"),
        settings,
        canary(tree.tree("canary")),
        tree.text("author"),
        tree.numberOrZero("previous"));
  }

  private static Setting setting(JsonTree tree) {
    return new Setting(
        tree.requiredText("value"),
        tree.number("startMillis"),
        tree.number("forMillis"),
        tree.number("version"),
        tree.text("author"));
  }

  private static @Nullable Canary canary(@Nullable JsonTree tree) {
    return tree == null
        ? null
        : new Canary(
            tree.numberOrZero("id"),
            new HashSet<>(tree.texts("members")),
            Objects.requireNonNullElse(tree.whole("sharePercent"), 0),
            tree.number("startMillis"),
            tree.numberOrZero("forMillis"),
            guard(tree.tree("guard")));
  }

  private static @Nullable CanaryGuard guard(@Nullable JsonTree tree) {
    return tree == null
        ? null
        : new CanaryGuard(
            tree.text("command"),
            tree.numberOrZero("leastCalls"),
            tree.whole("errorPercent"),
            tree.whole("refusedPercent"),
            tree.number("p99Millis"));
  }
}
