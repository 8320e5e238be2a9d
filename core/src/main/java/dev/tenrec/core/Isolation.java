// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import dev.tenrec.core.internal.config.CodeSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where a command's work runs, and how many of its calls may be in flight. Values; each method
 * returns a changed copy.
 *
 * <p>What is chosen here ranks below the dynamic properties of the command, the pool or the
 * semaphore: an operator can change all of it, the strategy included, while it runs.
 */
public abstract sealed class Isolation {

  private Isolation() {}

  /**
   * A pool of Tenrec's own threads: the caller is free at its deadline whatever the work does, and
   * the work can be interrupted. 10 threads and no queue unless set otherwise. Commands of one
   * group share a pool, unless set otherwise.
   */
  public static ThreadPool threadPool() {
    return new ThreadPool(null, settings -> settings, true);
  }

  /**
   * The caller's own thread, under a semaphore. Cheapest, for work that is quick or does not block.
   * A caller is not free before the work returns, also when it has timed out.
   *
   * @param maxConcurrent how many calls may be in flight; 0 refuses all
   */
  public static Semaphore semaphore(int maxConcurrent) {
    return new Semaphore(maxConcurrent, null);
  }

  /**
   * A virtual thread for each call, under a permit. Needs Java 21; on an older one building the
   * command fails with an InvalidSettingException.
   *
   * @param maxConcurrent how many calls may be in flight; 0 refuses all
   */
  public static VirtualThreads virtualThreads(int maxConcurrent) {
    return new VirtualThreads(maxConcurrent);
  }

  /** Throws what breaks a rule, for a command of this key, whose pool is the group's. */
  void check(String commandKey, String groupKey) {
    addTo(CodeSettings.command().of(commandKey));
  }

  /** Adds what this means for the command's own settings. */
  abstract void addTo(CodeSettings.Builder command);

  /** See {@link Isolation#threadPool()}. */
  public static final class ThreadPool extends Isolation {

    private final @Nullable String key;
    private final UnaryOperator<CodeSettings.Builder> settings;

    /** Whether code says that the work runs on a pool, or only on which one. */
    private final boolean decides;

    private ThreadPool(
        @Nullable String key, UnaryOperator<CodeSettings.Builder> settings, boolean decides) {
      this.key = key;
      this.settings = settings;
      this.decides = decides;
    }

    private ThreadPool with(UnaryOperator<CodeSettings.Builder> setting) {
      return new ThreadPool(key, builder -> setting.apply(settings.apply(builder)), decides);
    }

    /** The pool of this key, shared with whatever else names it. Default: the command's group. */
    public ThreadPool key(String key) {
      return new ThreadPool(Objects.requireNonNull(key, "key"), settings, decides);
    }

    /**
     * Says which pool, and leaves it to the properties whether the work runs on it: also the global
     * {@code execution.isolation.strategy} counts then. Without any, it does.
     */
    public ThreadPool strategyOpen() {
      return new ThreadPool(key, settings, false);
    }

    /** Threads that stay when idle, and the maximum unless that is set. Default 10. */
    public ThreadPool coreSize(int threads) {
      return with(builder -> builder.set(PoolProperties.CORE_SIZE, threads));
    }

    /**
     * Threads in all, started when the queue is full; at least the core size. Also allows it to
     * differ from the core size.
     */
    public ThreadPool maximumSize(int threads) {
      return with(
          builder ->
              builder
                  .set(PoolProperties.ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE, true)
                  .set(PoolProperties.MAXIMUM_SIZE, threads));
    }

    /** Calls that may wait for a thread. Default -1: none. */
    public ThreadPool queueSize(int calls) {
      return with(builder -> builder.set(PoolProperties.MAX_QUEUE_SIZE, calls));
    }

    /** Waiting calls from which a pool at its maximum refuses; default: the queue's size. */
    public ThreadPool rejectionThreshold(int calls) {
      return with(builder -> builder.set(PoolProperties.QUEUE_SIZE_REJECTION_THRESHOLD, calls));
    }

    /** How long a thread above the core size stays idle. Default one minute. */
    public ThreadPool keepAlive(Duration time) {
      return with(builder -> builder.set(PoolProperties.KEEP_ALIVE, time));
    }

    /**
     * Sets a property of the pool by its name, as in {@code docs/reference/configuration.md}:
     * {@code property("maxQueueSize", "200")}.
     *
     * @throws IllegalArgumentException if there is no such property, or the value breaks its rule
     */
    public ThreadPool property(String name, String value) {
      String owner = key == null ? "" : key;
      CodeSettings one =
          (owner.isEmpty() ? CodeSettings.pool() : CodeSettings.pool().of(owner))
              .set(name, value)
              .build();
      return with(builder -> builder.addAll(one));
    }

    @Nullable String key() {
      return key;
    }

    CodeSettings settings(String poolKey) {
      return settings.apply(CodeSettings.pool().of(poolKey)).build();
    }

    @Override
    void check(String commandKey, String groupKey) {
      CodeSettings unused = settings(key == null ? groupKey : key);
    }

    @Override
    void addTo(CodeSettings.Builder command) {
      if (decides) {
        command.set(CommandProperties.ISOLATION_STRATEGY, IsolationStrategy.THREAD);
      }
    }
  }

  /** See {@link Isolation#semaphore(int)}. */
  public static final class Semaphore extends Isolation {

    private final int maxConcurrent;
    private final @Nullable String sharedName;

    private Semaphore(int maxConcurrent, @Nullable String sharedName) {
      this.maxConcurrent = maxConcurrent;
      this.sharedName = sharedName;
    }

    /**
     * The semaphore of this name, shared with whatever else names it; its dynamic property is
     * {@code tenrec.semaphore.<name>.maxConcurrentRequests}.
     */
    public Semaphore shared(String name) {
      return new Semaphore(maxConcurrent, Objects.requireNonNull(name, "name"));
    }

    @Nullable String sharedName() {
      return sharedName;
    }

    CodeSettings settings(String name) {
      return CodeSettings.semaphore()
          .of(name)
          .set(SemaphoreProperties.MAX_CONCURRENT, maxConcurrent)
          .build();
    }

    @Override
    void addTo(CodeSettings.Builder command) {
      command.set(CommandProperties.ISOLATION_STRATEGY, IsolationStrategy.SEMAPHORE);
      command.set(CommandProperties.SEMAPHORE_MAX_CONCURRENT, maxConcurrent);
    }
  }

  /** See {@link Isolation#virtualThreads(int)}. */
  public static final class VirtualThreads extends Isolation {

    private final int maxConcurrent;

    private VirtualThreads(int maxConcurrent) {
      this.maxConcurrent = maxConcurrent;
    }

    /** Whether there are virtual threads is asked when a command is built. */
    @Override
    void check(String commandKey, String groupKey) {
      CodeSettings.Builder unused =
          CodeSettings.command()
              .of(commandKey)
              .set(CommandProperties.VIRTUAL_THREAD_MAX_CONCURRENT, maxConcurrent);
    }

    @Override
    void addTo(CodeSettings.Builder command) {
      command.set(CommandProperties.ISOLATION_STRATEGY, IsolationStrategy.VIRTUAL_THREAD);
      command.set(CommandProperties.VIRTUAL_THREAD_MAX_CONCURRENT, maxConcurrent);
    }
  }
}
