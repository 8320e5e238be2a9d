// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Completion;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.FallbackStarter;
import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.core.work.StreamCallWork;
import dev.tenrec.core.work.StreamFallback;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Work that ends with its stream, which is a stage as far as the engine goes, and goes on with
 * another.
 *
 * @param work makes the stream
 * @param fallback makes the one that follows if need be
 * @param showsCall whether the work looks at its call
 */
public record StreamBody<A extends @Nullable Object, R>(
    StreamCallWork<A, R> work, @Nullable StreamFallback<A, R> fallback, boolean showsCall)
    implements WorkBody<A, R> {

  @Override
  public boolean isStreamed() {
    return true;
  }

  @Override
  public FallbackStarter<A, R> fallbackStarter(
      CommandRuntime runtime, @Nullable Fallback<A, R> none, Completion<A, R> completion) {
    return new StreamFallbackStarter<>(runtime, fallback, completion);
  }

  @Override
  public CompletionStage<R> start(A argument, Execution<A, R> execution) throws Exception {
    StreamExecution<A, R> stream = (StreamExecution<A, R>) execution;
    return stream.open(
        Errors.requirePublisher(execution.commandKey(), "work", work.start(argument, execution)));
  }
}
