// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.work.AsyncBatchCallWork;
import dev.tenrec.core.work.AsyncBatchWork;
import dev.tenrec.core.work.BatchCallWork;
import dev.tenrec.core.work.BatchWork;
import dev.tenrec.core.work.PositionalBatchWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The forms of a batch function, as the work of a batch command. */
public final class BatchBodies {

  private BatchBodies() {}

  public static <A extends @Nullable Object, R extends @Nullable Object>
      WorkBody<List<A>, Map<A, R>> of(String key, BatchWork<A, R> work) {
    Objects.requireNonNull(work, "work");
    return new WorkBody.Plain<>(
        arguments ->
            Objects.requireNonNull(
                work.run(arguments), () -> returned(key, null) + "a Map was expected"));
  }

  public static <A extends @Nullable Object, R extends @Nullable Object>
      WorkBody<List<A>, Map<A, R>> withCall(String key, BatchCallWork<A, R> work) {
    Objects.requireNonNull(work, "work");
    return new WorkBody.WithCall<>(
        (arguments, call) ->
            Objects.requireNonNull(
                work.run(arguments, call), () -> returned(key, null) + "a Map was expected"));
  }

  @SuppressWarnings("unchecked") // a stage is only read
  public static <A extends @Nullable Object, R extends @Nullable Object>
      WorkBody<List<A>, Map<A, R>> asyncWithCall(AsyncBatchCallWork<A, R> work) {
    Objects.requireNonNull(work, "work");
    return new WorkBody.StagedWithCall<>(
        (arguments, call) -> (CompletionStage<Map<A, R>>) work.start(arguments, call));
  }

  public static <A extends @Nullable Object, R extends @Nullable Object>
      WorkBody<List<A>, Map<A, R>> byPosition(String key, PositionalBatchWork<A, R> work) {
    Objects.requireNonNull(work, "work");
    return new WorkBody.Plain<>(arguments -> zip(key, arguments, work.run(arguments)));
  }

  @SuppressWarnings("unchecked") // a stage is only read
  public static <A extends @Nullable Object, R extends @Nullable Object>
      WorkBody<List<A>, Map<A, R>> async(AsyncBatchWork<A, R> work) {
    Objects.requireNonNull(work, "work");
    return new WorkBody.Staged<>(arguments -> (CompletionStage<Map<A, R>>) work.start(arguments));
  }

  private static <A extends @Nullable Object, R extends @Nullable Object> Map<A, R> zip(
      String key, List<A> arguments, @Nullable List<R> answers) {
    if (answers == null || answers.size() != arguments.size()) {
      throw new IllegalStateException(
          returned(key, answers) + arguments.size() + " answers were expected, one per argument");
    }
    Map<A, R> byArgument = new HashMap<>(arguments.size() * 4 / 3 + 1);
    int position = 0;
    for (R answer : answers) {
      byArgument.put(arguments.get(position++), answer);
    }
    return byArgument;
  }

  private static String returned(String key, @Nullable List<?> answers) {
    return key
        + ": its batch function returned "
        + (answers == null ? "null, " : answers.size() + " answers, ");
  }
}
