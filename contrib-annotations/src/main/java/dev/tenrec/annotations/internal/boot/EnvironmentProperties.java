// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The properties of an environment that begin in one way, placeholders replaced. */
final class EnvironmentProperties {

  /** System properties have a place of their own among Tenrec's sources, where they are live. */
  private static final Set<String> LEFT_OUT = Set.of("systemProperties");

  private EnvironmentProperties() {}

  /**
   * All these properties, by the one spelling of their full key.
   *
   * @param prefix what keys begin with, with the dot at its end
   * @param spelling the one key for each way to write it
   * @param variables says what environment variables stand for
   */
  static Map<String, String> of(
      ConfigurableEnvironment environment,
      String prefix,
      UnaryOperator<String> spelling,
      EnvironmentVariables variables) {
    Map<String, String> found = new TreeMap<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (!(source instanceof EnumerablePropertySource<?> enumerable)
          || LEFT_OUT.contains(source.getName())) {
        continue;
      }
      boolean relaxed = source instanceof SystemEnvironmentPropertySource;
      List<String> others = new ArrayList<>();
      for (String name : enumerable.getPropertyNames()) {
        if (name.startsWith(prefix) && spelling.apply(name).equals(name)) {
          put(found, name, enumerable.getProperty(name), environment);
        } else {
          others.add(name);
        }
      }
      for (String name : others) { // of one source, a key as it is counts over its other spellings
        String key = name.startsWith(prefix) ? name : relaxed ? variables.property(name) : null;
        if (key != null) {
          put(found, spelling.apply(key), enumerable.getProperty(name), environment);
        }
      }
    }
    return found;
  }

  private static void put(
      Map<String, String> found,
      String key,
      @Nullable Object value,
      ConfigurableEnvironment environment) {
    if (value != null) {
      // source by source, the strongest first
      found.putIfAbsent(key, environment.resolvePlaceholders(value.toString()));
    }
  }
}
