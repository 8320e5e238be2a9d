// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The properties of an environment that begin in one way, placeholders replaced. */
public final class EnvironmentProperties {

  /** System properties have a place of their own among Tenrec's sources, where they are live. */
  private static final Set<String> LEFT_OUT = Set.of("systemProperties");

  private EnvironmentProperties() {}

  /**
   * All these properties, by their full key.
   *
   * @param prefix what keys begin with, with the dot at its end
   * @param variables says what environment variables stand for
   */
  public static Map<String, String> of(
      ConfigurableEnvironment environment, String prefix, EnvironmentVariables variables) {
    Map<String, String> found = new TreeMap<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (!(source instanceof EnumerablePropertySource<?> enumerable)
          || LEFT_OUT.contains(source.getName())) {
        continue;
      }
      boolean relaxed = source instanceof SystemEnvironmentPropertySource;
      for (String name : enumerable.getPropertyNames()) {
        String key = name.startsWith(prefix) ? name : relaxed ? variables.property(name) : null;
        Object value = key == null ? null : enumerable.getProperty(name);
        if (key != null && value != null) {
          // source by source, the strongest first
          found.putIfAbsent(key, environment.resolvePlaceholders(value.toString()));
        }
      }
    }
    return found;
  }
}
