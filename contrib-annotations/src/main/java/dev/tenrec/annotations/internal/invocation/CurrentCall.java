// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.work.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The call whose method runs on this thread, and the transactions that began meanwhile and have not
 * ended. Used by one thread.
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

  /** A transaction of this thread has ended, one way or the other. */
  public static void ended(Object transaction) {
    for (CurrentCall current = INNERMOST.get(); current != null; current = current.outer) {
      int index = current.indexOf(transaction);
      if (index >= 0) {
        Object unused = current.transactions.remove(index);
        return;
      }
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
    while (current != null && current.indexOf(transaction) < 0) {
      current = current.outer;
    }
    for (; current != null; current = current.outer) { // those further out are around it as well
      if (current.call.isGivenUp() || current.call.remaining().isZero()) {
        return current.call.commandKey();
      }
    }
    return null;
  }

  /** The last that began is the first to end. */
  private int indexOf(Object transaction) {
    int index = transactions.size() - 1;
    while (index >= 0 && transactions.get(index) != transaction) {
      index--;
    }
    return index;
  }
}
