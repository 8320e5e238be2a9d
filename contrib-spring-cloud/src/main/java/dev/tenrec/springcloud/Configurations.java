// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import dev.tenrec.core.CommandOptions;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the code of one factory's user says: for all, for a group, for an id. The narrower counts,
 * property by property. Thread-safe.
 */
final class Configurations {

  /** By id, or by the name of a group. */
  private final Map<String, CircuitConfig> named;

  /**
   * Written by the thread that configures, read by threads that create circuit breakers, ordered by
   * volatile access.
   */
  private volatile Function<String, CircuitConfig> byDefault = id -> CircuitConfig.NOTHING;

  Configurations(Map<String, CircuitConfig> named) {
    this.named = named;
  }

  void byDefault(Function<String, CircuitConfig> configuration) {
    byDefault = Objects.requireNonNull(configuration, "defaultConfiguration");
  }

  /** What is to be said to the builders of an id's commands, as configured at this moment. */
  Consumer<CommandOptions<?>> of(String id, @Nullable String group) {
    CircuitConfig general = byDefault.apply(id);
    CircuitConfig ofGroup = group == null ? null : named.get(group);
    CircuitConfig own = named.get(id);
    return options -> {
      if (group != null) {
        CommandOptions<?> unused = options.group(group);
      }
      general.applyTo(options);
      if (ofGroup != null) {
        ofGroup.applyTo(options);
      }
      if (own != null) {
        own.applyTo(options);
      }
    };
  }
}
