// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.work.Call;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/** What some calls of one key meet; counts for itself which call is which. */
final class Fault {

  /** What happens in the place of the work's beginning. */
  @FunctionalInterface
  interface Effect {
    void on(Call call) throws Exception;
  }

  private final LongPredicate which;
  private final Effect effect;
  private final Runnable end;
  private final AtomicLong calls = new AtomicLong();

  Fault(LongPredicate which, Effect effect, Runnable end) {
    this.which = which;
    this.effect = effect;
    this.end = end;
  }

  void meet(Call call) throws Exception {
    if (which.test(calls.incrementAndGet())) {
      effect.on(call);
    }
  }

  void release() {
    end.run();
  }
}
