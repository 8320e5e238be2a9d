// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.Property;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of one scope, in the order they were declared. */
final class PropertyTable {

  private final String scope;
  private final List<Property<?>> properties;
  private final Map<String, Property<?>> byName = new HashMap<>();
  private final CodeSettings nothing = new CodeSettings(this, Map.of());

  /** A table of all properties of one scope. */
  PropertyTable(List<Property<?>> properties) {
    this.scope = properties.get(0).scope();
    this.properties = properties;
    properties.forEach(property -> byName.put(property.name(), property));
  }

  /** What code sets that sets nothing. */
  CodeSettings nothing() {
    return nothing;
  }

  String scope() {
    return scope;
  }

  List<Property<?>> properties() {
    return properties;
  }

  int size() {
    return properties.size();
  }

  /** The property of exactly this name, or null. */
  @Nullable Property<?> find(String name) {
    return byName.get(name);
  }

  boolean owns(Property<?> property) {
    return byName.get(property.name()) == property;
  }

  /** What to say about a name that is not in this table. */
  String unknown(String name) {
    return "names no property of a "
        + scope
        + "; near names: "
        + String.join(", ", NearNames.of(name, byName.keySet()));
  }
}
