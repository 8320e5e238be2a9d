// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.engine.Registry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many calls each command had in flight on their callers' own threads when closing began to end
 * them. By the thread that closes.
 *
 * @param byCommand commands without such a call may be missing
 */
record CallsOnCallers(Map<CommandRuntime, Integer> byCommand) {

  static final CallsOnCallers NONE = new CallsOnCallers(Map.of());

  /** Those of now. */
  static CallsOnCallers in(Registry registry) {
    Map<CommandRuntime, Integer> calls = new HashMap<>();
    for (CommandRuntime runtime : registry.withCallsInFlight()) {
      calls.put(runtime, runtime.inFlightOnCallers());
    }
    return new CallsOnCallers(calls);
  }

  /**
   * Whether these calls are over. Work that has stopped is in flight until its thread has given
   * back the permit: such a call would be reported as still running.
   */
  boolean haveLeft(List<Execution<?, ?>> cancelled) {
    return cancelled.stream().allMatch(Execution::hasStopped)
        && cancelled.stream()
            .collect(Collectors.groupingBy(Execution::commandKey, Collectors.counting()))
            .entrySet()
            .stream()
            .allMatch(left -> haveLeft(left.getKey(), left.getValue()));
  }

  private boolean haveLeft(String key, long calls) {
    return byCommand.entrySet().stream()
        .filter(before -> before.getKey().key().equals(key))
        .allMatch(before -> before.getKey().inFlightOnCallers() <= before.getValue() - calls);
  }
}
