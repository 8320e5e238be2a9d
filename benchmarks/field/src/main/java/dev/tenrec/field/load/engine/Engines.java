// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.engine;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The engines there are. */
public enum Engines {
  /** A new thread of the operating system for each call. */
  THREAD("a thread per call") {
    @Override
    public Engine start(int threads) {
      return new ThreadEngine(daemons("load-call-"));
    }
  },

  /** So many threads, and a queue without a bound before them. */
  POOL("a bounded pool") {
    @Override
    public Engine start(int threads) {
      return new PoolEngine(Executors.newFixedThreadPool(threads, daemons("load-pool-")));
    }
  },

  /** No thread waits: the target's own few threads serve all calls. */
  ASYNC("asynchronous I/O") {
    @Override
    public Engine start(int threads) {
      return new AsyncEngine();
    }
  },

  /** A new virtual thread for each call. */
  VIRTUAL("virtual threads") {
    @Override
    public Engine start(int threads) {
      requireSupported(Runtime.version());
      return new PoolEngine(virtualThreads());
    }
  };

  private static final int VIRTUAL_SINCE = 21;

  private final String description;

  Engines(String description) {
    this.description = description;
  }

  /** For people. */
  public String description() {
    return description;
  }

  /**
   * Starts one.
   *
   * @param threads of a bounded pool; the others do without
   * @throws IllegalStateException if this JVM cannot
   */
  public abstract Engine start(int threads);

  /** Whether this JVM can start it. */
  public boolean isSupported() {
    return this != VIRTUAL || Runtime.version().feature() >= VIRTUAL_SINCE;
  }

  static void requireSupported(Runtime.Version version) {
    if (version.feature() < VIRTUAL_SINCE) {
      throw new IllegalStateException(
          "the engine virtual needs JDK "
              + VIRTUAL_SINCE
              + " or later, and this is "
              + version
              + "; expected a newer JDK, or the engine thread, pool or async");
    }
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** By name, for this is byte code for Java 17. */
  private static ExecutorService virtualThreads() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException missing) {
      throw new IllegalStateException(
          "JDK " + Runtime.version() + " does not start virtual threads", missing);
    }
  }
}
