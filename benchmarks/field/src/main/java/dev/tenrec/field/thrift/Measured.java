// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import java.util.ArrayList;
import java.util.List;

/**
 * All that was measured.
 *
 * @param planned how many runs there were to be
 * @param steady of one consumer
 * @param surges of all of them
 */
record Measured(int planned, List<SteadyRun> steady, List<SurgeRun> surges) {

  int runs() {
    return steady.size() + surges.size();
  }

  /** What does not agree, with where; nothing, if all does. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    for (SteadyRun run : steady) {
      for (String difference : RunReconciliation.differences(run)) {
        differences.add(run.setup() + ", " + run.users() + " users: " + difference);
      }
    }
    for (SurgeRun run : surges) {
      for (String difference : RunReconciliation.differences(run)) {
        differences.add(run.setup() + ": " + difference);
      }
    }
    return differences;
  }
}
