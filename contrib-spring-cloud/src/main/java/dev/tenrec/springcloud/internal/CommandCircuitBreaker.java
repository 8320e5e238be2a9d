// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import dev.tenrec.annotations.context.SpringCommands;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.CallWork;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.event.EventType;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.NoFallbackAvailableException;

/** A circuit breaker whose caller waits: a command. Thread-safe. */
public final class CommandCircuitBreaker implements CircuitBreaker {

  /**
   * One call, with what answers instead.
   *
   * @param fallback null if there is none
   */
  private record Guarded(
      Supplier<?> work, @Nullable Function<Throwable, ? extends @Nullable Object> fallback) {

    @SuppressWarnings("NullAway") // null is a legal answer
    Object answer(Throwable cause) {
      return Objects.requireNonNull(fallback).apply(cause);
    }
  }

  /** Two commands of one key, for what has no fallback is counted so. */
  private record Commands(
      Command<Guarded, @Nullable Object> bare, Command<Guarded, @Nullable Object> withFallback) {

    boolean isClosed() {
      return bare.isClosed();
    }
  }

  private final Tenrec tenrec;
  private final SpringCommands context;
  private final String id;
  private final Consumer<CommandOptions<?>> configuration;
  private final Renewed<Commands> commands;

  /**
   * Builds it.
   *
   * @param context what holds for all commands of the context
   * @param configuration what code says of it
   * @throws RuntimeException if a setting is wrong, or the key was built with other settings
   */
  public CommandCircuitBreaker(
      Tenrec tenrec, SpringCommands context, String id, Consumer<CommandOptions<?>> configuration) {
    this.tenrec = tenrec;
    this.context = context;
    this.id = id;
    this.configuration = configuration;
    this.commands = new Renewed<>(this::build, Commands::isClosed);
  }

  private Commands build() {
    return new Commands(described().build(), described().fallback(Guarded::answer).build());
  }

  private CommandBuilder<Guarded, @Nullable Object> described() {
    CommandBuilder<Guarded, @Nullable Object> builder;
    if (context.hasTransactions()) {
      CallWork<Guarded, @Nullable Object> watched =
          (guarded, call) -> context.<@Nullable Object>run(call, guarded.work()::get);
      builder = tenrec.command(id, watched);
    } else {
      Work<Guarded, @Nullable Object> plain = guarded -> guarded.work().get();
      builder = tenrec.command(id, plain);
    }
    configuration.accept(builder);
    context.configure(id, builder);
    return builder;
  }

  /** Whether its key was removed and no call has brought it back, or its Tenrec closed. */
  public boolean isClosed() {
    return commands.isClosed();
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // what this work returned, be it null
  public <T> T run(Supplier<T> toRun) {
    Outcome<@Nullable Object> outcome =
        attempt(commands.current().bare(), new Guarded(required(toRun), null));
    Throwable error = outcome.error();
    if (error == null) {
      return (T) outcome.value();
    }
    if (outcome.has(EventType.BAD_REQUEST)
        || outcome.has(EventType.CANCELLED)
        || error instanceof Error) {
      CommandCircuitBreaker.<RuntimeException>raise(error);
    }
    throw new NoFallbackAvailableException("No fallback available.", error);
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // what this work or this fallback returned
  public <T> T run(Supplier<T> toRun, Function<Throwable, T> fallback) {
    Objects.requireNonNull(fallback, "fallback");
    Outcome<@Nullable Object> outcome =
        attempt(commands.current().withFallback(), new Guarded(required(toRun), fallback));
    Throwable error = outcome.error();
    if (error == null) {
      return (T) outcome.value();
    }
    Throwable ofFallback = outcome.fallbackError();
    CommandCircuitBreaker.<RuntimeException>raise(
        ofFallback == null || outcome.has(EventType.FALLBACK_REJECTION) ? error : ofFallback);
    throw new AssertionError(error); // never: it was thrown
  }

  private Outcome<@Nullable Object> attempt(
      Command<Guarded, @Nullable Object> command, Guarded guarded) {
    context.checkTransaction(id, command.isolation());
    return command.attempt(guarded);
  }

  private static <T> Supplier<T> required(Supplier<T> toRun) {
    return Objects.requireNonNull(toRun, "toRun");
  }

  /** Throws it as it was thrown: code that does not declare a checked exception may throw one. */
  @SuppressWarnings("unchecked") // the cast is not there at run-time
  private static <E extends Throwable> void raise(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Override
  public String toString() {
    return "CircuitBreaker " + id;
  }
}
