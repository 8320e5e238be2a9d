// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.work.AsyncCallWork;
import dev.tenrec.core.work.AsyncWork;
import dev.tenrec.core.work.CallWork;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.core.work.Work;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The user's work, whichever of its forms it was given in.
 *
 * @param <A> what it is called with
 * @param <R> what it brings
 */
public interface WorkBody<A extends @Nullable Object, R extends @Nullable Object> {

  /** Ends when it returns. */
  record Plain<A extends @Nullable Object, R extends @Nullable Object>(Work<A, R> work)
      implements WorkBody<A, R> {}

  /** Ends when it returns, and looks at its call. */
  record WithCall<A extends @Nullable Object, R extends @Nullable Object>(CallWork<A, R> work)
      implements WorkBody<A, R> {}

  /** Ends with its stage. */
  record Staged<A extends @Nullable Object, R extends @Nullable Object>(AsyncWork<A, R> work)
      implements WorkBody<A, R> {}

  /** Ends with its stage, and looks at its call. */
  record StagedWithCall<A extends @Nullable Object, R extends @Nullable Object>(
      AsyncCallWork<A, R> work) implements WorkBody<A, R> {}

  /** Whether it ends with a stage. */
  default boolean isStaged() {
    return !(this instanceof Plain || this instanceof WithCall);
  }

  /** Whether it looks at its call. */
  default boolean showsCall() {
    return this instanceof WithCall || this instanceof StagedWithCall;
  }

  /** Whether it sends items to its caller while it goes on. */
  default boolean isStreamed() {
    return false;
  }

  /** Lets the command's fallback answer. */
  default FallbackStarter<A, R> fallbackStarter(
      CommandRuntime runtime, @Nullable Fallback<A, R> fallback, Completion<A, R> completion) {
    return new FallbackStarter<>(runtime, fallback, completion);
  }

  /** Runs the work of a body that is not staged. */
  default R run(A argument, Execution<A, R> execution) throws Exception {
    if (this instanceof Plain<A, R> plain) {
      return plain.work.run(argument);
    }
    return ((WithCall<A, R>) this).work.run(argument, execution);
  }

  /** Starts the work of a staged body. */
  default @Nullable CompletionStage<R> start(A argument, Execution<A, R> execution)
      throws Exception {
    if (this instanceof Staged<A, R> staged) {
      return staged.work.start(argument);
    }
    return ((StagedWithCall<A, R>) this).work.start(argument, execution);
  }
}
