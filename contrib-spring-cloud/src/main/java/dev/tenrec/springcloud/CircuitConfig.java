// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import dev.tenrec.core.CommandOptions;
import java.util.List;
import java.util.function.Consumer;

/**
 * Settings of circuit breakers, made in code. Made by a {@link CircuitConfigBuilder}; immutable.
 */
public final class CircuitConfig {

  static final CircuitConfig NOTHING = new CircuitConfig(List.of());

  private final List<Consumer<? super CommandOptions<?>>> said;

  CircuitConfig(List<Consumer<? super CommandOptions<?>>> said) {
    this.said = List.copyOf(said);
  }

  /** Applies them to a command's builder. */
  void applyTo(CommandOptions<?> options) {
    said.forEach(one -> one.accept(options));
  }
}
