// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.callback.CallbackTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that goes on without a thread of ours: its stage ends it, and giving it up cancels the
 * stage.
 */
final class StageFollower {

  private static final Logger LOG = LoggerFactory.getLogger(StageFollower.class);

  private StageFollower() {}

  /** On the thread that started the stage. */
  static <A extends @Nullable Object, R extends @Nullable Object> void follow(
      Execution<A, R> execution, CompletionStage<R> stage) {
    Pipeline<A, R> pipeline = execution.pipeline;
    Engine engine = pipeline.runtime.engine;
    execution.following = true;
    try {
      if (execution.isAbandonedRunning()) { // given up while it started
        StagePermitTimeout.arm(execution, null, engine.timer(), pipeline.now());
      }
      execution.onCancel(new Cancellers.OfStage(stage));
      if (!TimeoutGuard.keeps(execution) && !engine.stages().add(execution)) {
        pipeline.abandonment.cancel(execution, false, Errors.closed(pipeline.commandKey()));
      }
    } catch (Throwable thrown) { // no memory, no timer: it cannot be followed
      cancelAndEnd(execution, stage, thrown);
      return;
    }
    try {
      if (stage instanceof EngineStage own) {
        stage.whenComplete((none, noError) -> ended(execution, none, Errors.unwrap(own.failure())));
      } else {
        stage.whenComplete((value, thrown) -> ended(execution, value, Errors.unwrap(thrown)));
      }
    } catch (Throwable thrown) { // of a stage that is not the JDK's: Errors too
      ended(execution, null, thrown);
    }
  }

  /**
   * It has begun, but what was around its beginning failed: that ends it. A stream's may have an
   * item on its way, and ends after that.
   */
  static <A extends @Nullable Object, R extends @Nullable Object> void giveUp(
      Execution<A, R> execution, CompletionStage<R> stage, Throwable thrown) {
    if (stage instanceof EngineStage own && !own.isDone()) {
      own.fail(thrown);
      follow(execution, stage);
      return;
    }
    cancelAndEnd(execution, stage, thrown);
  }

  /** Where users' code hangs on the stage, its permit is back before that is cancelled. */
  private static <A extends @Nullable Object, R extends @Nullable Object> void cancelAndEnd(
      Execution<A, R> execution, CompletionStage<R> stage, Throwable thrown) {
    Cancellers.Node registered = execution.takeCancellers();
    boolean left = !isCancelledHere(stage) || registered != null;
    if (left) { // users' code, for which the answer does not wait
      try {
        CallbackTask task = CallbackTask.of(() -> cancel(execution, stage, registered));
        execution.pipeline.runtime.callbacks().execute(task);
        left = false;
      } catch (Throwable noMemory) {
        execution.pipeline.runtime.failedToSettle(noMemory);
      }
    }
    ended(execution, null, thrown);
    if (left) { // after the ending, at least
      cancel(execution, stage, registered);
    }
  }

  /** True if it is the JDK's and nothing hangs on it: then it is cancelled. */
  private static boolean isCancelledHere(CompletionStage<?> stage) {
    if (stage.getClass() != CompletableFuture.class
        || ((CompletableFuture<?>) stage).getNumberOfDependents() > 0) {
      return false;
    }
    boolean unused = ((CompletableFuture<?>) stage).cancel(true);
    return true;
  }

  /** Runs users' code. */
  private static void cancel(
      Execution<?, ?> execution, CompletionStage<?> stage, Cancellers.@Nullable Node registered) {
    Throwable thrown = null;
    try {
      boolean unused = stage.toCompletableFuture().cancel(true);
    } catch (Throwable foreign) { // of a stage that is not the JDK's: Errors too
      thrown = foreign;
    }
    Cancellers.runAll(registered);
    if (thrown != null) {
      LOG.warn("{}: its stage could not be cancelled", execution.commandKey(), thrown);
    }
  }

  private static <A extends @Nullable Object, R extends @Nullable Object> void ended(
      Execution<A, R> execution, @Nullable R value, @Nullable Throwable thrown) {
    try {
      StackReserve.check();
    } catch (
        StackOverflowError deep) { // the stage ends deep in a recursion: elsewhere there is room
      execution.pipeline.runtime.callbacks().execute(new LateEnd<>(execution, value, thrown));
      return;
    }
    stopped(execution, value, thrown);
  }

  private static <A extends @Nullable Object, R extends @Nullable Object> void stopped(
      Execution<A, R> execution, @Nullable R value, @Nullable Throwable thrown) {
    Pipeline<A, R> pipeline = execution.pipeline;
    try {
      pipeline.stopped(execution, value, thrown);
    } catch (Throwable broken) { // no memory: the stage would keep that to itself
      pipeline.broke(execution, broken);
    } finally { // not before: user code that judges the result may block, and closing looks for it
      pipeline.runtime.engine.stages().stageEnded(execution);
    }
  }

  /** No lambda, which would be linked where there is no stack for that. */
  static final class LateEnd<A extends @Nullable Object, R extends @Nullable Object>
      extends CallbackTask {

    private final Execution<A, R> execution;
    private final @Nullable R value;
    private final @Nullable Throwable thrown;

    private LateEnd(Execution<A, R> execution, @Nullable R value, @Nullable Throwable thrown) {
      this.execution = execution;
      this.value = value;
      this.thrown = thrown;
    }

    @Override
    protected void run() {
      stopped(execution, value, thrown);
    }
  }
}
