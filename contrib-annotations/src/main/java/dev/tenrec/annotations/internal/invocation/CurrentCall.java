// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.work.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The call whose method runs on this thread, and the transactions that began meanwhile. Used by one
 * thread.
 */
public final class CurrentCall {

  private static final ThreadLocal<@Nullable CurrentCall> INNERMOST = new ThreadLocal<>();

  private final Call call;
  private final @Nullable CurrentCall outer;
  private final List<Object> transactions = new ArrayList<>(1);

  private CurrentCall(Call call, @Nullable CurrentCall outer) {
    this.call = call;
    this.outer = outer;
  }

  /** Runs a method, or the part of it that is this thread's. */
  public static <T extends @Nullable Object> T around(Call call, Callable<T> method)
      throws Exception {
    CurrentCall outer = INNERMOST.get();
    INNERMOST.set(new CurrentCall(call, outer));
    try {
      return method.call();
    } finally {
      if (outer == null) {
        INNERMOST.remove();
      } else {
        INNERMOST.set(outer);
      }
    }
  }

  /** A transaction has begun on this thread: its commit has to come before the call ends. */
  public static void begun(Object transaction) {
    CurrentCall current = INNERMOST.get();
    if (current != null) {
      boolean unused = current.transactions.add(transaction);
    }
  }

  /**
   * The key of a call on this thread that is around the transaction and has ended, or is past its
   * deadline by the clock.
   *
   * @return null if none has: then the transaction may be committed
   */
  public static @Nullable String endedAround(Object transaction) {
    CurrentCall current = INNERMOST.get();
    while (current != null && !current.isAround(transaction)) {
      current = current.outer;
    }
    for (; current != null; current = current.outer) { // those further out are around it as well
      if (current.call.isGivenUp() || current.call.remaining().isZero()) {
        return current.call.commandKey();
      }
    }
    return null;
  }

  private boolean isAround(Object transaction) {
    return transactions.stream().anyMatch(begun -> begun == transaction);
  }
}
