// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.AnswerKind;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** How a method of one kind becomes a command, and how a call of it is answered. */
interface Door {

  /**
   * Starts the command's description.
   *
   * @param seesCall whether the method runs as {@link CurrentCall#around} has it, so that what it
   *     does on its thread can look at the call
   */
  CommandBuilder<MethodInvocation, @Nullable Object> describe(
      Tenrec tenrec, String key, boolean seesCall);

  /** Makes a call. */
  @Nullable Object call(
      Command<MethodInvocation, @Nullable Object> command, MethodInvocation invocation)
      throws Throwable;

  /**
   * The door of a kind.
   *
   * @param substitutes whether a fallback returns what the method does
   * @param shared whether several calls may have the same answer
   */
  static Door of(AnswerKind kind, boolean substitutes, boolean shared) {
    return switch (kind) {
      case VALUE -> new ValueDoor();
      case FUTURE -> new FutureDoor(substitutes, shared);
      case STAGE -> new StageDoor(substitutes, shared);
      case SINGLE, MAYBE, COMPLETABLE -> new RxDoor(kind);
      case MONO -> new MonoDoor();
      case FLOWABLE, OBSERVABLE, FLUX, FLOW ->
          throw new IllegalArgumentException(kind + " is a stream's: see StreamMethod");
    };
  }
}
