// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.metrics.time.Waiter;

/**
 * The caller that waits for another thread is its own timer, and runs its own fallback. Interrupted
 * while it waits, it gives its work up and keeps its flag.
 */
final class CallerWait {

  private CallerWait() {}

  /** On the caller's thread. */
  static <A, R> void untilAnswered(Execution<A, R> execution, Engine engine) {
    Pipeline<A, R> pipeline = execution.pipeline;
    long deadline = execution.deadlineNanos();
    if (execution.plan.bulkhead.isAlone()) { // or others want the processor that looking takes
      long start = execution.startNanos;
      boolean unused = pipeline.runtime.briefWait(start).look(execution, start);
    }
    while (!execution.isAnswered()) {
      if (execution.isAtFallback()) {
        pipeline.fallbackStarter.start(execution);
      } else if (execution.isDecided()) {
        // by another thread, which is about to publish it or to leave us the fallback
        Thread.yield();
        if (!engine.listeners().isEmpty()) { // and may be held up by one of these; it will wake us
          engine.waiter().awaitUntil(Waiter.FOREVER);
        }
      } else if (Thread.currentThread().isInterrupted()) {
        pipeline.givingUp.interrupted(execution);
      } else if (!execution.hasDeadline()) {
        engine.waiter().awaitUntil(Waiter.FOREVER);
      } else if (pipeline.now() - deadline >= 0) {
        pipeline.givingUp.timedOut(execution);
      } else {
        engine.waiter().awaitUntil(deadline);
      }
    }
  }
}
