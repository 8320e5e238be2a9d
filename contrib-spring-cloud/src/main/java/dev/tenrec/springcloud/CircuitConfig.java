// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import dev.tenrec.core.CommandOptions;
import java.util.List;
import java.util.function.Consumer;

/** What code says of circuit breakers. Made by a {@link CircuitConfigBuilder}; immutable. */
public final class CircuitConfig {

  static final CircuitConfig NOTHING = new CircuitConfig(List.of());

  private final List<Consumer<? super CommandOptions<?>>> said;

  CircuitConfig(List<Consumer<? super CommandOptions<?>>> said) {
    this.said = List.copyOf(said);
  }

  /** Says it to the builder of a command. */
  void applyTo(CommandOptions<?> options) {
    said.forEach(one -> one.accept(options));
  }
}
