// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.work.AsyncCallWork;
import dev.tenrec.core.work.AsyncWork;
import dev.tenrec.core.work.CallWork;
import dev.tenrec.core.work.StreamCallWork;
import dev.tenrec.core.work.StreamFallback;
import dev.tenrec.core.work.Work;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The user's work, whichever of its forms it was given in.
 *
 * @param <A> what it is called with
 * @param <R> what it brings
 */
public sealed interface WorkBody<A extends @Nullable Object, R extends @Nullable Object> {

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

  /**
   * Ends with its stream, which is a stage as far as the engine goes, and goes on with another.
   *
   * @param work makes the stream
   * @param fallback makes the one that follows if need be
   * @param showsCall whether the work looks at its call
   */
  record Streamed<A extends @Nullable Object, R>(
      StreamCallWork<A, R> work, @Nullable StreamFallback<A, R> fallback, boolean showsCall)
      implements WorkBody<A, R> {}

  /** Whether it ends with a stage. */
  default boolean isStaged() {
    return !(this instanceof Plain || this instanceof WithCall);
  }

  /** Whether it looks at its call. */
  default boolean showsCall() {
    return this instanceof WithCall
        || this instanceof StagedWithCall
        || this instanceof Streamed<A, R> streamed && streamed.showsCall;
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
    if (this instanceof Streamed<A, R> streamed) {
      StreamExecution<A, R> stream = (StreamExecution<A, R>) execution;
      return stream.open(
          Thrown.requirePublisher(
              execution.commandKey(), "work", streamed.work.start(argument, execution)));
    }
    if (this instanceof Staged<A, R> staged) {
      return staged.work.start(argument);
    }
    return ((StagedWithCall<A, R>) this).work.start(argument, execution);
  }
}
