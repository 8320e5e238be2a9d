// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.Permission;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one ending of an execution: {@link #claimed} first, {@link #answer} last, by the same thread
 * or by those it hands over to. Whoever claimed it writes the execution's fields; everybody else
 * reads them after the answer.
 */
final class Ending<A extends @Nullable Object, R extends @Nullable Object> {

  private static final Logger LOG = LoggerFactory.getLogger(Ending.class);

  private final CommandRuntime runtime;

  Ending(CommandRuntime runtime) {
    this.runtime = runtime;
  }

  /** Claims the one ending, and writes down why it is one. False if another was faster. */
  boolean claimed(Execution<A, R> execution, EventType event) {
    Lifecycle.Claim claim = execution.claim();
    switch (claim) {
      case LOST:
        return false;
      case BEFORE_WORK:
        if (execution.share != null) {
          execution.share.endedItself(event);
          return true;
        }
        if (execution.holder != Thread.currentThread()) {
          leave(execution); // else it keeps its permit for the fallback it is about to run
        }
        execution.plan.starter.abandoned();
        break;
      case DURING_WORK:
        runtime.forsaken();
        if (execution.following) {
          Abandonment.arm(execution, runtime.engine.timer(), runtime.engine.ticker().nanoTime());
        }
        break;
      case BEFORE_LAUNCH: // its caller is still at the gates, and gives back what it got there
      case AFTER_WORK:
        break;
    }
    // after the claim: what was read before it may be older than the launch that the claim saw
    Permission permission =
        claim == Lifecycle.Claim.BEFORE_LAUNCH ? Permission.UNGUARDED : execution.permission;
    long now = runtime.engine.ticker().nanoTime();
    if (event == EventType.CANCELLED && execution.hasAnsweredInPart()) {
      runtime.recorder.cutShort(permission, now);
    }
    execution.add(event);
    execution.executionNanos = execution.workedNanos(now);
    runtime.recorder.decided(execution.plan, permission, event, execution.executionNanos, now);
    return true;
  }

  /**
   * The last step, after which everybody sees it.
   *
   * @param event what the caller is answered with; null if that was counted with the claim
   */
  void answer(Execution<A, R> execution, @Nullable EventType event) {
    answerQuietly(execution, event);
    Receiver<? super R> receiver = execution.receiver;
    if (receiver != null) {
      deliver(execution, receiver);
    }
  }

  /** The same, without a word to the receiver: its own side gave up. */
  void answerQuietly(Execution<A, R> execution, @Nullable EventType event) {
    if (event != null) {
      execution.add(event);
    }
    long now = runtime.engine.ticker().nanoTime();
    execution.callerNanos = now - execution.startNanos;
    runtime.recorder.answered(event, execution.admitted ? execution.callerNanos : -1, now);
    execution.writeLog();
    execution.argument = null;
    runtime.engine.listeners().ended(execution);
    execution.publish();
    if (execution.callerStays && Thread.currentThread() != execution.caller) {
      runtime.engine.waiter().wake(execution.caller);
    }
  }

  private void deliver(Execution<A, R> execution, Receiver<? super R> receiver) {
    try {
      if (execution.error == null) {
        receiver.onValue(execution.value());
      } else {
        receiver.onError(execution.error);
      }
    } catch (Throwable thrown) { // the execution has ended already; there is nobody left to tell
      LOG.warn("{}: its receiver failed", runtime.commandKey, thrown);
    }
  }

  /** Gives back what the gates gave, once: the work has really stopped, or never began. */
  void leave(Execution<A, R> execution) {
    if (execution.inside) {
      execution.inside = false;
      execution.plan.bulkhead.leave();
    }
  }

  /** The same for a pool's thread that kept its permit while it ran the fallback. */
  void leaveIfHolder(Execution<A, R> execution) {
    if (execution.holder == Thread.currentThread()) {
      leave(execution);
    }
  }
}
