// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import dev.tenrec.core.CommandOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.springframework.cloud.client.circuitbreaker.ConfigBuilder;

/**
 * Says what circuit breakers are like, as code says it of any command: {@code circuit.options(to ->
 * to.timeout(Duration.ofMillis(300)).errorThreshold(40, 50))}. Not thread-safe; used once.
 */
public final class CircuitConfigBuilder implements ConfigBuilder<CircuitConfig> {

  private final String id;
  private final List<Consumer<? super CommandOptions<?>>> said = new ArrayList<>();

  /**
   * Starts without settings.
   *
   * @param id of the circuit breaker, or of a group
   */
  public CircuitConfigBuilder(String id) {
    this.id = Objects.requireNonNull(id, "id");
  }

  /** The id that it is for. */
  public String id() {
    return id;
  }

  /**
   * Adds what is said of its commands. Of two that speak of one property the later counts;
   * exceptions to ignore add up.
   *
   * @param options called for each command that is built: it has to say the same each time
   */
  public CircuitConfigBuilder options(Consumer<? super CommandOptions<?>> options) {
    said.add(Objects.requireNonNull(options, "options"));
    return this;
  }

  @Override
  public CircuitConfig build() {
    return new CircuitConfig(said);
  }
}
