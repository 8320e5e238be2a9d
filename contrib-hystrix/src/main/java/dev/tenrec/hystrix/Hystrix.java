// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.strategy.HystrixPlugins;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What concerns all commands of this process. */
public final class Hystrix {

  private static final ThreadLocal<@Nullable Deque<HystrixCommandKey>> RUNNING =
      new ThreadLocal<>();

  private Hystrix() {}

  /**
   * Forgets every command, collapser and pool: their metrics, circuits and settings; and the
   * plugins that were registered. Calls in flight go on; what is executed from now on begins anew.
   * Open requests stay open.
   */
  public static void reset() {
    KnownKeys known = HystrixTenrec.knownIfAny();
    if (known != null) {
      known.forget();
    }
    HystrixPlugins.reset();
    RUNNING.remove();
  }

  /**
   * As {@link #reset()}; and, where the Tenrec was made here, waits for calls in flight up to this
   * time, then interrupts them.
   */
  public static void reset(long time, TimeUnit unit) {
    RUNNING.remove();
    HystrixTenrec.reset(time, unit);
    HystrixPlugins.reset();
  }

  /** The command whose work this thread is in, the innermost; null if it is in none's. */
  public static @Nullable HystrixCommandKey getCurrentThreadExecutingCommand() {
    Deque<HystrixCommandKey> running = RUNNING.get();
    return running == null ? null : running.peek();
  }

  /** This thread begins a command's work. */
  static Deque<HystrixCommandKey> enter(HystrixCommandKey key) {
    Deque<HystrixCommandKey> running = RUNNING.get();
    if (running == null) {
      running = new ArrayDeque<>(4);
      RUNNING.set(running);
    }
    running.push(key);
    return running;
  }

  /** This thread ends it. */
  static void leave(Deque<HystrixCommandKey> running) {
    HystrixCommandKey unused = running.poll();
    if (running.isEmpty()) {
      RUNNING.remove();
    }
  }
}
