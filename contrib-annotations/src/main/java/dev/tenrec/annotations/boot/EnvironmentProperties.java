// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/** The properties of an environment that begin in one way, placeholders replaced. */
final class EnvironmentProperties {

  /** System properties have a place of their own among Tenrec's sources, where they are live. */
  private static final Set<String> LEFT_OUT = Set.of("systemProperties");

  private EnvironmentProperties() {}

  static Map<String, String> of(ConfigurableEnvironment environment, String prefix) {
    Map<String, String> found = new TreeMap<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (!(source instanceof EnumerablePropertySource<?> enumerable)
          || LEFT_OUT.contains(source.getName())) {
        continue;
      }
      for (String name : enumerable.getPropertyNames()) {
        Object value = name.startsWith(prefix) ? enumerable.getProperty(name) : null;
        if (value != null) {
          // source by source, the strongest first
          found.putIfAbsent(name, environment.resolvePlaceholders(value.toString()));
        }
      }
    }
    return found;
  }
}
