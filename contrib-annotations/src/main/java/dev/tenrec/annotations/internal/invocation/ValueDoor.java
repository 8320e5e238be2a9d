// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.CommandFailedException;
import dev.tenrec.core.work.CallWork;
import dev.tenrec.core.work.Work;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Waits for the answer. */
final class ValueDoor implements Door {

  @Override
  @SuppressWarnings("NullAway") // null is a legal result
  public CommandBuilder<MethodInvocation, @Nullable Object> describe(
      Tenrec tenrec, String key, boolean seesCall) {
    if (seesCall) {
      CallWork<MethodInvocation, @Nullable Object> seeing =
          (invocation, call) -> CurrentCall.around(call, () -> Proceeding.on(invocation));
      return tenrec.command(key, seeing);
    }
    Work<MethodInvocation, @Nullable Object> work = Proceeding::on;
    return tenrec.command(key, work);
  }

  @Override
  public @Nullable Object call(
      Command<MethodInvocation, @Nullable Object> command, MethodInvocation invocation)
      throws Throwable {
    try {
      return command.execute(invocation);
    } catch (CommandFailedException e) {
      throw original(e, command.key());
    }
  }

  /** A checked exception the method declares was wrapped for a caller that could not catch it. */
  static Throwable original(CommandFailedException wrapped, String key) {
    Throwable cause = wrapped.getCause();
    return cause != null && wrapped.commandKey().equals(key) ? cause : wrapped;
  }
}
