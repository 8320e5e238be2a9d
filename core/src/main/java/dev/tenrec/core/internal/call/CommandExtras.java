// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.journal.CallTrouble;
import dev.tenrec.core.internal.journal.TransitionOrder;
import dev.tenrec.core.internal.listening.TransitionNotifier;
import dev.tenrec.core.internal.retry.RetryBudget;
import dev.tenrec.core.internal.sampling.Samplers;
import dev.tenrec.core.view.CommandDetails;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What only a command has that is looked at, or that gets into trouble: one that was never called
 * keeps none of it. Thread-safe.
 */
final class CommandExtras {

  final CommandDetails view;
  final CallTrouble trouble;

  // Each is made by the first that asks. Written and read under this object's monitor.
  private @Nullable TransitionOrder transitionOrder;
  private @Nullable TransitionNotifier transitionNotifier;
  private @Nullable Samplers samplers;
  private @Nullable RetryBudget retryBudget;
  private @Nullable CallbackShare interrupts;

  /** Written and read under this object's monitor. */
  private boolean closed;

  /**
   * The name of the shared budget that had no retry left; null until it first had none. Written by
   * threads of failed calls, always with the same name; read by the thread that explains. Volatile.
   */
  volatile @Nullable String usedUpBudget;

  CommandExtras(CommandDetails view, CallTrouble trouble, boolean closed) {
    this.view = view;
    this.trouble = trouble;
    this.closed = closed;
  }

  synchronized TransitionOrder transitionOrder(Supplier<List<Transition>> last) {
    TransitionOrder present = transitionOrder;
    if (present == null) {
      transitionOrder = present = new TransitionOrder(last);
    }
    return present;
  }

  synchronized TransitionNotifier transitionNotifier(Supplier<TransitionNotifier> maker) {
    TransitionNotifier present = transitionNotifier;
    if (present == null) {
      transitionNotifier = present = maker.get();
    }
    return present;
  }

  synchronized Samplers samplers(Supplier<Samplers> maker) {
    Samplers present = samplers;
    if (present == null) {
      samplers = present = maker.get();
      if (closed) {
        present.end();
      }
    }
    return present;
  }

  synchronized RetryBudget retryBudget(long now) {
    RetryBudget present = retryBudget;
    if (present == null) {
      retryBudget = present = new RetryBudget(now);
    }
    return present;
  }

  synchronized CallbackShare interrupts(Supplier<CallbackShare> maker) {
    CallbackShare present = interrupts;
    if (present == null) {
      interrupts = present = maker.get();
    }
    return present;
  }

  /** The command is closed: streams of its numbers end. */
  synchronized void close() {
    closed = true;
    Samplers present = samplers;
    if (present != null) {
      present.end();
    }
  }
}
