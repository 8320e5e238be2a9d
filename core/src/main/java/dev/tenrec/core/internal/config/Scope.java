// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What is configured under one kind of key: its properties, the rules between them, and the record
 * made of their values.
 *
 * @param table the properties
 * @param rules the rules between them
 * @param snapshot makes the record
 */
record Scope<S>(PropertyTable table, List<CrossRule> rules, Function<Values, S> snapshot) {

  String name() {
    return table.scope();
  }

  /** The properties in which two differ, in the order they were declared. */
  List<Property<?>> differing(Values before, Values after) {
    List<Property<?>> differing = new ArrayList<>();
    for (Property<?> property : table.properties()) {
      if (!before.sameAt(property, after)) {
        differing.add(property);
      }
    }
    return differing;
  }

  /**
   * The properties in which two differ, those together that a rule ties to each other. Where both
   * fulfil all rules, so does the one with any of these parts taken from the other.
   */
  List<List<Property<?>>> parts(Values before, Values after) {
    List<List<Property<?>>> parts = new ArrayList<>();
    for (Property<?> property : differing(before, after)) {
      List<Property<?>> part = new ArrayList<>();
      for (List<Property<?>> other : List.copyOf(parts)) {
        if (other.stream().anyMatch(tied -> areTied(tied, property))) {
          parts.remove(other);
          part.addAll(other);
        }
      }
      part.add(property);
      parts.add(part);
    }
    return parts;
  }

  private boolean areTied(Property<?> one, Property<?> other) {
    return rules.stream()
        .map(CrossRule::properties)
        .anyMatch(tied -> tied.contains(one) && tied.contains(other));
  }
}
