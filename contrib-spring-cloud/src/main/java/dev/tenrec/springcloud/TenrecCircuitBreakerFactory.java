// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import dev.tenrec.annotations.context.SpringCommands;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.Tenrec;
import dev.tenrec.springcloud.internal.CommandCircuitBreaker;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.CircuitBreakerFactory;

/**
 * Circuit breakers that are commands: the id is the key, the group's name the group. So each has
 * isolation (by default a pool of ten threads), a time-out (by default one second), a circuit,
 * metrics, and settings that change while it runs, {@code tenrec.command.<id>.<property>}.
 *
 * <p>A fallback receives whatever kept the work from answering: its exception, or one of Tenrec's.
 * What the fallback throws reaches the caller. Without a fallback the caller gets a {@link
 * org.springframework.cloud.client.circuitbreaker.NoFallbackAvailableException} with the reason as
 * its cause, or the reason itself if that is an {@link Error}. What is the caller's fault ({@link
 * dev.tenrec.core.outcome.BadRequestException}, and what is ignored) reaches the caller as it is,
 * without fallback; so does a {@link dev.tenrec.core.outcome.CommandInterruptedException}, and the
 * {@link java.util.concurrent.CancellationException} of a call whose Tenrec was closed meanwhile.
 *
 * <p>Thread-safe. Beans that implement {@code Customizer<TenrecCircuitBreakerFactory>} configure it
 * before its first use.
 */
public final class TenrecCircuitBreakerFactory
    extends CircuitBreakerFactory<CircuitConfig, CircuitConfigBuilder> {

  private final Tenrec tenrec;
  private final SpringCommands commands;
  private final Configurations configurations = new Configurations(getConfigurations());
  private final Created<CommandCircuitBreaker> created =
      new Created<>(CommandCircuitBreaker::isClosed);

  /**
   * Over a Tenrec, which is closed by its owner.
   *
   * @param commands what holds for all commands of the context
   */
  public TenrecCircuitBreakerFactory(Tenrec tenrec, SpringCommands commands) {
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
  public CircuitBreaker create(String id) {
    return of(id, null);
  }

  /**
   * The circuit breaker of this id. Those of one group share a thread pool. An id that was created
   * before keeps its circuit breaker and its group; after its key was removed from the Tenrec, as
   * long as somebody holds the circuit breaker; then it may be made anew.
   *
   * @throws IllegalArgumentException if the id is blank or {@code default}, or a setting breaks a
   *     rule
   * @throws IllegalStateException if a command of this key was built with other settings, or there
   *     are as many keys as allowed
   */
  @Override
  public CircuitBreaker create(String id, String groupName) {
    return of(id, Created.group(groupName));
  }

  private CircuitBreaker of(String id, @Nullable String group) {
    return created.get(
        id,
        () -> {
          Consumer<CommandOptions<?>> configuration = configurations.of(id, group);
          return () -> new CommandCircuitBreaker(tenrec, commands, id, configuration);
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
