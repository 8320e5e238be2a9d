// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.SneakyThrow;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.work.CallWork;
import dev.tenrec.core.work.Work;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * For methods that return a plain future, which cannot report when it is done: they run elsewhere,
 * and wait there for what they got.
 */
final class FutureDoor implements Door {

  private final boolean substitutes;
  private final boolean shared;

  FutureDoor(boolean substitutes, boolean shared) {
    this.substitutes = substitutes;
    this.shared = shared;
  }

  @Override
  @SuppressWarnings("NullAway") // null is a legal result
  public CommandBuilder<MethodInvocation, @Nullable Object> describe(
      Tenrec tenrec, String key, boolean seesCall) {
    if (seesCall) {
      CallWork<MethodInvocation, @Nullable Object> seeing =
          (invocation, call) -> awaited(CurrentCall.around(call, () -> Proceeding.on(invocation)));
      return tenrec.command(key, seeing);
    }
    Work<MethodInvocation, @Nullable Object> work =
        invocation -> awaited(Proceeding.on(invocation));
    return tenrec.command(key, work);
  }

  private static @Nullable Object awaited(@Nullable Object returned) throws InterruptedException {
    return returned instanceof Future<?> future ? await(future) : null;
  }

  @Override
  public Object call(
      Command<MethodInvocation, @Nullable Object> command, MethodInvocation invocation) {
    return substitutes
        ? FollowedFuture.follow(command.executeAsync(invocation), shared)
        : command.executeAsync(invocation);
  }

  /** What the future brings; given up with the thread that waits. */
  static @Nullable Object await(Future<?> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw SneakyThrow.unchecked(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException | CancellationException e) {
      boolean unused = future.cancel(true);
      throw e;
    }
  }
}
