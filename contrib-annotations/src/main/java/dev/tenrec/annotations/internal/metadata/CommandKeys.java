// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.metadata;

import dev.tenrec.core.config.IsolationStrategy;
import java.time.Duration;
import java.util.List;

/**
 * The properties of a command as a tree, from which editors complete them below any key. Nothing
 * implements it.
 */
public interface CommandKeys {

  Execution getExecution();

  void setExecution(Execution group);

  Fallback getFallback();

  void setFallback(Fallback group);

  CircuitBreaker getCircuitBreaker();

  void setCircuitBreaker(CircuitBreaker group);

  RateLimiter getRateLimiter();

  void setRateLimiter(RateLimiter group);

  Retry getRetry();

  void setRetry(Retry group);

  Hedge getHedge();

  void setHedge(Hedge group);

  Deadline getDeadline();

  void setDeadline(Deadline group);

  Metrics getMetrics();

  void setMetrics(Metrics group);

  RequestCache getRequestCache();

  void setRequestCache(RequestCache group);

  RequestLog getRequestLog();

  void setRequestLog(RequestLog group);

  String getThreadPoolKeyOverride();

  /** The pool to use instead of the command's own. */
  void setThreadPoolKeyOverride(String value);

  List<Class<? extends Throwable>> getIgnoreExceptions();

  /** Exceptions that are the caller's fault, in the place of the annotation's; read at start-up. */
  void setIgnoreExceptions(List<Class<? extends Throwable>> value);

  String getIgnoreIf();

  /**
   * The bean, a predicate of exceptions, that says which are the caller's fault; read at start-up.
   */
  void setIgnoreIf(String value);

  List<Class<? extends Throwable>> getRetryOn();

  /**
   * Exceptions that another attempt follows, in the place of the annotation's; read at start-up.
   */
  void setRetryOn(List<Class<? extends Throwable>> value);

  Boolean getStackTraces();

  /** Whether Tenrec's own exceptions have a stack trace; read at start-up. */
  void setStackTraces(Boolean value);

  interface Execution {

    ExecutionIsolation getIsolation();

    void setIsolation(ExecutionIsolation group);

    ExecutionTimeout getTimeout();

    void setTimeout(ExecutionTimeout group);

    ExecutionStream getStream();

    void setStream(ExecutionStream group);

    interface ExecutionIsolation {

      IsolationStrategy getStrategy();

      /**
       * Where the work runs: on a thread of a pool, on the caller's thread, on a virtual thread of
       * its own.
       */
      void setStrategy(IsolationStrategy value);

      ExecutionIsolationThread getThread();

      void setThread(ExecutionIsolationThread group);

      ExecutionIsolationSemaphore getSemaphore();

      void setSemaphore(ExecutionIsolationSemaphore group);

      ExecutionIsolationVirtualThread getVirtualThread();

      void setVirtualThread(ExecutionIsolationVirtualThread group);

      ExecutionIsolationStage getStage();

      void setStage(ExecutionIsolationStage group);

      interface ExecutionIsolationThread {

        Duration getTimeoutInMilliseconds();

        /** From the call to its deadline, whatever the strategy. Waiting for a thread counts. */
        void setTimeoutInMilliseconds(Duration value);

        Boolean getInterruptOnTimeout();

        /** Whether the thread of work that timed out is interrupted. */
        void setInterruptOnTimeout(Boolean value);

        Boolean getInterruptOnFutureCancel();

        /**
         * Whether giving up an execution interrupts its thread: by cancel(true) on its future, by
         * completing its future, by disposing.
         */
        void setInterruptOnFutureCancel(Boolean value);
      }

      interface ExecutionIsolationSemaphore {

        Integer getMaxConcurrentRequests();

        /**
         * Executions in flight on callers' threads. 0 refuses all. Without effect on a command that
         * shares a semaphore: see the scope semaphore.
         */
        void setMaxConcurrentRequests(Integer value);
      }

      interface ExecutionIsolationVirtualThread {

        Integer getMaxConcurrentRequests();

        /**
         * Executions in flight on virtual threads. 0 refuses all. The default is that of the other
         * two strategies, so that changing the strategy live does not change the bound.
         */
        void setMaxConcurrentRequests(Integer value);
      }

      interface ExecutionIsolationStage {

        Duration getAbandonAfterInMilliseconds();

        /**
         * How long after its deadline or its cancellation an asynchronous stage that does not end
         * keeps its permit. Then the permit is given back and the stage counted as abandoned.
         */
        void setAbandonAfterInMilliseconds(Duration value);
      }
    }

    interface ExecutionTimeout {

      Boolean getEnabled();

      /** Whether there is a deadline. */
      void setEnabled(Boolean value);
    }

    interface ExecutionStream {

      Duration getBetweenItemsTimeoutInMilliseconds();

      /**
       * Of a stream command: how long each item after the first may take, or the end, while the
       * subscriber waits for it. 0 is for ever. The first one's time is
       * execution.isolation.thread.timeoutInMilliseconds.
       */
      void setBetweenItemsTimeoutInMilliseconds(Duration value);
    }
  }

  interface Fallback {

    FallbackIsolation getIsolation();

    void setIsolation(FallbackIsolation group);

    Boolean getEnabled();

    /** Whether fallbacks run. */
    void setEnabled(Boolean value);

    interface FallbackIsolation {

      FallbackIsolationSemaphore getSemaphore();

      void setSemaphore(FallbackIsolationSemaphore group);

      interface FallbackIsolationSemaphore {

        Integer getMaxConcurrentRequests();

        /** Fallbacks in flight. 0 refuses all. */
        void setMaxConcurrentRequests(Integer value);
      }
    }
  }

  interface CircuitBreaker {

    Boolean getEnabled();

    /** Whether the breaker looks and decides. Metrics are kept either way. */
    void setEnabled(Boolean value);

    Integer getRequestVolumeThreshold();

    /** How many calls of the rolling window have to have ended before the circuit may open. */
    void setRequestVolumeThreshold(Integer value);

    Integer getErrorThresholdPercentage();

    /**
     * From this share of errors and slow calls on, the circuit opens. 0 is refused: it would open a
     * circuit that has no error.
     */
    void setErrorThresholdPercentage(Integer value);

    Duration getSleepWindowInMilliseconds();

    /** How long an open circuit refuses before it admits trials. */
    void setSleepWindowInMilliseconds(Duration value);

    Boolean getForceOpen();

    /** Refuses every call. Wins over forceClosed. */
    void setForceOpen(Boolean value);

    Boolean getForceClosed();

    /** Admits every call. */
    void setForceClosed(Boolean value);

    Boolean getObserveOnly();

    /**
     * The breaker opens, closes and notifies its listeners, but admits every call. For trying out
     * thresholds.
     */
    void setObserveOnly(Boolean value);

    Integer getHalfOpenTrials();

    /** How many trials may be in flight in a half-open circuit, and how many successes close it. */
    void setHalfOpenTrials(Integer value);

    Duration getSlowCallDurationInMilliseconds();

    /**
     * A success that took longer counts as trouble, together with errors against
     * errorThresholdPercentage. 0 is off.
     */
    void setSlowCallDurationInMilliseconds(Duration value);
  }

  interface RateLimiter {

    Boolean getEnabled();

    /** Whether the rate of calls is limited. */
    void setEnabled(Boolean value);

    Integer getPermits();

    /** How many calls may begin in each period, evenly spread. */
    void setPermits(Integer value);

    Duration getPeriodInMilliseconds();

    /** The period. */
    void setPeriodInMilliseconds(Duration value);

    Integer getBurst();

    /** How many permits may be saved up while no call comes: as many calls may begin at once. */
    void setBurst(Integer value);

    Integer getMaxKeys();

    /** Of a limit by key: how many keys have a rate of their own at once. */
    void setMaxKeys(Integer value);
  }

  /** Properties below {@code hedge}. */
  interface Hedge {

    Boolean getEnabled();

    /** Whether calls are hedged, where the command has a hedge. */
    void setEnabled(Boolean value);

    Duration getAfterInMilliseconds();

    /** How long an attempt's work is out before another one begins beside it. */
    void setAfterInMilliseconds(Duration value);

    Integer getAfterPercentile();

    /** Which percentile of the executions says how long; 0 if none does. */
    void setAfterPercentile(Integer value);

    Integer getAtMost();

    /** How many hedges a call has at most. */
    void setAtMost(Integer value);

    Integer getBudgetPercent();

    /** How many hedges there may be for a hundred executions of the last ten seconds. */
    void setBudgetPercent(Integer value);

    Integer getBudgetPerSecond();

    /** How many hedges there may be in each second besides. */
    void setBudgetPerSecond(Integer value);
  }

  /** Properties below {@code retry}. */
  interface Retry {

    Boolean getEnabled();

    /** Whether calls are attempted again, where the command has a retry. */
    void setEnabled(Boolean value);

    Integer getAttempts();

    /** How many attempts there are at most, the first one included. */
    void setAttempts(Integer value);

    Duration getFirstDelayInMilliseconds();

    /** The delay before the second attempt, without jitter. */
    void setFirstDelayInMilliseconds(Duration value);

    Duration getLongestDelayInMilliseconds();

    /** What no delay between two attempts exceeds. */
    void setLongestDelayInMilliseconds(Duration value);

    Duration getAttemptTimeoutInMilliseconds();

    /** How long one attempt may take; 0 for as long as its call has time. */
    void setAttemptTimeoutInMilliseconds(Duration value);

    Integer getBudgetPercent();

    /** How many retries there may be for a hundred executions of the last ten seconds. */
    void setBudgetPercent(Integer value);

    Integer getBudgetPerSecond();

    /** How many retries there may be in each second besides. */
    void setBudgetPerSecond(Integer value);
  }

  /** Properties below {@code deadline}. */
  interface Deadline {

    Boolean getEnabled();

    /** Whether a call ends by the deadline of the call it is made in, and hands its own on. */
    void setEnabled(Boolean value);
  }

  interface Metrics {

    MetricsRollingStats getRollingStats();

    void setRollingStats(MetricsRollingStats group);

    MetricsRollingPercentile getRollingPercentile();

    void setRollingPercentile(MetricsRollingPercentile group);

    MetricsHealthSnapshot getHealthSnapshot();

    void setHealthSnapshot(MetricsHealthSnapshot group);

    interface MetricsRollingStats {

      Duration getTimeInMilliseconds();

      /** The rolling window of the counts and of health. */
      void setTimeInMilliseconds(Duration value);

      Integer getNumBuckets();

      /** Into how many buckets it is divided: so finely it rolls. */
      void setNumBuckets(Integer value);
    }

    interface MetricsRollingPercentile {

      Boolean getEnabled();

      /** Whether the latency distribution is kept. When false, no memory is used for it. */
      void setEnabled(Boolean value);

      Duration getTimeInMilliseconds();

      /** The rolling window of the latency distribution. */
      void setTimeInMilliseconds(Duration value);

      Integer getNumBuckets();

      /** Into how many buckets it is divided. */
      void setNumBuckets(Integer value);

      Integer getBucketSize();

      /** Known, checked and shown, but without effect. */
      void setBucketSize(Integer value);
    }

    interface MetricsHealthSnapshot {

      Duration getIntervalInMilliseconds();

      /** The longest the breaker's view of health may be behind. */
      void setIntervalInMilliseconds(Duration value);
    }
  }

  interface RequestCache {

    Boolean getEnabled();

    /** Whether the request cache is used, given a cache key. */
    void setEnabled(Boolean value);
  }

  interface RequestLog {

    Boolean getEnabled();

    /** Whether executions are written into the request log. */
    void setEnabled(Boolean value);
  }
}
