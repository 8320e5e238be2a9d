// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestVariableDefault;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * By what executions of a request are equal, so that they share a run. This says which of them was
 * the first and which joined it, until all have given the run up; the engine does the sharing.
 *
 * <p>One case it gets wrong: an execution that joined, and whose own time-out ends before the run
 * does, still counts as one that shares it, for its events are those of a run that timed out. If
 * all others are given up then, the next execution is taken for a cache hit, though the engine runs
 * it anew.
 *
 * @param command of which command; one that has its key after a reset shares no run of it
 * @param cacheKey by what they are equal
 */
record FirstOfRequest(KnownCommand command, String cacheKey) {

  private static final HystrixRequestVariableDefault<Map<FirstOfRequest, Run>> OF_REQUEST =
      new HystrixRequestVariableDefault<>() {
        @Override
        public Map<FirstOfRequest, Run> initialValue() {
          return new ConcurrentHashMap<>();
        }
      };

  static FirstOfRequest of(KnownCommand command, String cacheKey) {
    return new FirstOfRequest(command, cacheKey);
  }

  /** The next execution is the first again. */
  void forget() {
    Run unused = OF_REQUEST.get().remove(this);
  }

  /**
   * Has an execution share a run of this thread's request.
   *
   * @return whether another was there before, and not all have given up; else this is the first
   */
  boolean join(AbstractCommand<?> execution) {
    Map<FirstOfRequest, Run> runs = OF_REQUEST.get();
    Run made = new Run(runs, this);
    Run joined = runs.merge(this, made, (present, unused) -> present.withOneMore());
    execution.joined(joined);
    return joined != made;
  }

  /** What executions share: known to their request until the last one of them has left. */
  static final class Run {

    private final Map<FirstOfRequest, Run> ofRequest;
    private final FirstOfRequest key;

    /** Those that have not left. Changed within changes of the key's entry, which are atomic. */
    private int executions = 1;

    /** Those of the first one. Written by its thread before its work begins, read by any. */
    private volatile @Nullable ExecutionPlugins plugins;

    private Run(Map<FirstOfRequest, Run> ofRequest, FirstOfRequest key) {
      this.ofRequest = ofRequest;
      this.key = key;
    }

    /** What is registered has heard of the first one's start. */
    void plugins(ExecutionPlugins ofFirst) {
      plugins = ofFirst;
    }

    /** Null if the first one has none, or has not told them of its start. */
    @Nullable ExecutionPlugins plugins() {
      return plugins;
    }

    private Run withOneMore() {
      executions++;
      return this;
    }

    /** One of them was given up, or has not come to the engine. On any thread. */
    void leave() {
      Run unused =
          ofRequest.computeIfPresent(
              key, (same, present) -> present == this && --executions == 0 ? null : present);
    }
  }
}
