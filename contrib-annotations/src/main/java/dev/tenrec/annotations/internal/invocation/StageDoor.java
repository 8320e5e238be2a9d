// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.work.AsyncCallWork;
import dev.tenrec.core.work.AsyncWork;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** For methods that return a stage. */
final class StageDoor implements Door {

  private final boolean substitutes;
  private final boolean shared;

  StageDoor(boolean substitutes, boolean shared) {
    this.substitutes = substitutes;
    this.shared = shared;
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // a null stage is core's to refuse
  public CommandBuilder<MethodInvocation, @Nullable Object> describe(
      Tenrec tenrec, String key, boolean seesCall) {
    if (seesCall) {
      AsyncCallWork<MethodInvocation, @Nullable Object> seeing =
          (invocation, call) ->
              (CompletionStage<@Nullable Object>)
                  CurrentCall.around(call, () -> Proceeding.on(invocation));
      return tenrec.asyncCommand(key, seeing);
    }
    AsyncWork<MethodInvocation, @Nullable Object> work =
        invocation -> (CompletionStage<@Nullable Object>) Proceeding.on(invocation);
    return tenrec.asyncCommand(key, work);
  }

  @Override
  public Object call(
      Command<MethodInvocation, @Nullable Object> command, MethodInvocation invocation) {
    return substitutes
        ? FollowedFuture.follow(command.executeAsync(invocation), shared)
        : command.executeAsync(invocation);
  }
}
