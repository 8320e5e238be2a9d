// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import java.io.Closeable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request: what the commands of one piece of the application's work share, as their cache and
 * their log. Commands carry it from the thread that executes them to their work, their fallback and
 * their observers. Thread-safe.
 */
public final class HystrixRequestContext implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(HystrixRequestContext.class);
  private static final ThreadLocal<@Nullable HystrixRequestContext> HERE = new ThreadLocal<>();

  /** Null once it is shut down. Written by the thread that shuts it down, read by any. */
  private volatile @Nullable ConcurrentMap<HystrixRequestVariableDefault<?>, Object> values =
      new ConcurrentHashMap<>();

  private HystrixRequestContext() {}

  /** Whether this thread is at a request that is not shut down. */
  public static boolean isCurrentThreadInitialized() {
    HystrixRequestContext here = HERE.get();
    return here != null && here.values != null;
  }

  /** The request this thread is at; null if it is at none, or that is shut down. */
  public static @Nullable HystrixRequestContext getContextForCurrentThread() {
    HystrixRequestContext here = HERE.get();
    return here != null && here.values != null ? here : null;
  }

  /**
   * Brings this thread to a request.
   *
   * @param context which; null takes it away from any
   */
  public static void setContextOnCurrentThread(@Nullable HystrixRequestContext context) {
    if (context == null) {
      HERE.remove();
    } else {
      HERE.set(context);
    }
  }

  /** Begins a request, and brings this thread to it. */
  public static HystrixRequestContext initializeContext() {
    HystrixRequestContext begun = new HystrixRequestContext();
    HERE.set(begun);
    return begun;
  }

  /**
   * Ends the request: shuts its variables down, those made meanwhile as well, whatever one of them
   * throws, and lets go of them. Threads that are still at it are at none from then on. A second
   * time does nothing.
   */
  public void shutdown() {
    ConcurrentMap<HystrixRequestVariableDefault<?>, Object> ending = values;
    if (ending == null) {
      return;
    }
    end(ending, false); // meanwhile they may ask for one another
    values = null;
    end(ending, true); // what was made since
    if (HERE.get() == this) {
      HERE.remove();
    }
  }

  private static void end(
      ConcurrentMap<HystrixRequestVariableDefault<?>, Object> ending, boolean last) {
    ending.forEach(
        (variable, slot) -> {
          try {
            HystrixRequestVariableDefault.end(slot, last);
          } catch (Throwable thrown) { // no variable keeps another from its end
            LOG.error("{}: its shutdown failed", variable, thrown);
          }
        });
  }

  /** As {@link #shutdown}. */
  @Override
  public void close() {
    shutdown();
  }

  @Nullable ConcurrentMap<HystrixRequestVariableDefault<?>, Object> values() {
    return values;
  }
}
