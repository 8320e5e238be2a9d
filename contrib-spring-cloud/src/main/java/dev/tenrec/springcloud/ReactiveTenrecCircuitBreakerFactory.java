// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import dev.tenrec.annotations.context.SpringCommands;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.Tenrec;
import dev.tenrec.springcloud.internal.StreamCircuitBreaker;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreakerFactory;

/**
 * Reactive circuit breakers that are stream commands: the id is the key, the group's name the
 * group. Each subscription is an execution, in its subscriber's context; cancelling it gives it up.
 * The time-out, by default one second, is that of the first item or of an end without one; the
 * isolation is a semaphore of ten by default.
 *
 * <p>Fallbacks, and what reaches the subscriber without one: as for {@link
 * TenrecCircuitBreakerFactory}.
 *
 * <p>Thread-safe. Beans that implement {@code Customizer<ReactiveTenrecCircuitBreakerFactory>}
 * configure it before its first use.
 */
public final class ReactiveTenrecCircuitBreakerFactory
    extends ReactiveCircuitBreakerFactory<CircuitConfig, CircuitConfigBuilder> {

  private final Tenrec tenrec;
  private final SpringCommands commands;
  private final Configurations configurations = new Configurations(getConfigurations());
  private final Created<StreamCircuitBreaker> created =
      new Created<>(StreamCircuitBreaker::isClosed);

  /**
   * Over a Tenrec, which is closed by its owner.
   *
   * @param commands what holds for all commands of the context
   */
  public ReactiveTenrecCircuitBreakerFactory(Tenrec tenrec, SpringCommands commands) {
    this.tenrec = Objects.requireNonNull(tenrec, "tenrec");
    this.commands = Objects.requireNonNull(commands, "commands");
  }

  /**
   * The circuit breaker of this id, in a group of its own.
   *
   * @throws IllegalArgumentException if the id is blank or {@code default}, or a setting breaks a
   *     rule
   * @throws IllegalStateException if a command of this key was built with other settings, or there
   *     are as many keys as allowed
   */
  @Override
  public ReactiveCircuitBreaker create(String id) {
    return of(id, null);
  }

  /**
   * The circuit breaker of this id. Those of one group share a thread pool, where they have one. An
   * id that was created before keeps its circuit breaker and its group; after its key was removed
   * from the Tenrec, as long as somebody holds the circuit breaker; then it may be made anew.
   *
   * @throws IllegalArgumentException if the id is blank or {@code default}, or a setting breaks a
   *     rule
   * @throws IllegalStateException if a command of this key was built with other settings, or there
   *     are as many keys as allowed
   */
  @Override
  public ReactiveCircuitBreaker create(String id, String groupName) {
    return of(id, Created.group(groupName));
  }

  private ReactiveCircuitBreaker of(String id, @Nullable String group) {
    return created.get(
        id,
        () -> {
          Consumer<CommandOptions<?>> configuration = configurations.of(id, group);
          return () -> new StreamCircuitBreaker(tenrec, commands, id, configuration);
        });
  }

  /**
   * Says what the circuit breakers of these ids, or of groups of these names, are like, in the
   * place of what was said of them here before. What is said by default holds where this says
   * nothing.
   *
   * @throws IllegalStateException if one of them was created already
   */
  @Override
  public void configure(Consumer<CircuitConfigBuilder> consumer, String... ids) {
    created.requireNone(ids);
    super.configure(consumer, ids);
  }

  @Override
  protected CircuitConfigBuilder configBuilder(String id) {
    return new CircuitConfigBuilder(id);
  }

  /** Says what all circuit breakers that are created from now on are like. */
  @Override
  public void configureDefault(Function<String, CircuitConfig> defaultConfiguration) {
    configurations.byDefault(defaultConfiguration);
  }
}
