// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A command and its argument: to be handed on where the argument is of no concern. Made by {@link
 * Command#with}. Each use of a door is an execution of its own, as at the command itself.
 * Immutable; as thread-safe as its argument.
 *
 * @param <R> what it returns
 */
@SuppressWarnings("NullAway") // the argument is null only where the command's own type lets it be
public final class BoundCommand<R extends @Nullable Object> {

  private final Command<@Nullable Object, R> command;
  private final @Nullable Object argument;

  @SuppressWarnings("unchecked") // the command gets this argument only
  <A extends @Nullable Object> BoundCommand(Command<A, R> command, A argument) {
    this.command = (Command<@Nullable Object, R>) command;
    this.argument = argument;
  }

  /** The command's key. */
  public String key() {
    return command.key();
  }

  /** As {@link Command#execute(Object)}. */
  public R execute() {
    return command.execute(argument);
  }

  /** As {@link Command#attempt}. */
  public Outcome<R> attempt() {
    return command.attempt(argument);
  }

  /** As {@link Command#executeAsync}. */
  public CompletableFuture<R> executeAsync() {
    return command.executeAsync(argument);
  }

  /** As {@link Command#attemptAsync}. */
  public CompletableFuture<Outcome<R>> attemptAsync() {
    return command.attemptAsync(argument);
  }

  /** As {@link Command#toSingle}. */
  public Single<R> toSingle() {
    return command.toSingle(argument);
  }

  /** As {@link Command#attemptSingle}. */
  public Single<Outcome<R>> attemptSingle() {
    return command.attemptSingle(argument);
  }

  /** As {@link Command#toMaybe}. */
  public Maybe<R> toMaybe() {
    return command.toMaybe(argument);
  }

  /** As {@link Command#execute(Object, Receiver)}. */
  public Disposable execute(Receiver<? super R> receiver) {
    return command.execute(argument, receiver);
  }

  /** The command's; the argument is not shown, for logs may be read by anybody. */
  @Override
  public String toString() {
    return command + " with its argument";
  }
}
