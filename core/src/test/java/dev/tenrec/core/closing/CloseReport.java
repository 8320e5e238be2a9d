// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import dev.tenrec.core.StillRunning;
import java.lang.reflect.RecordComponent;
import java.util.List;

/** What closing says of work that it left on its callers' threads, as these tests read it. */
final class CloseReport {

  private CloseReport() {}

  /**
   * How many callers are still at the work of a command: what its entries count, or, of entries
   * that count nothing, one each.
   */
  static int callersAtWork(List<StillRunning> left, String commandKey) {
    return left.stream()
        .filter(one -> one.commandKey().equals(commandKey))
        .mapToInt(CloseReport::count)
        .sum();
  }

  /**
   * Without the threads of callbacks: one that has interrupted or answered a call for the closing
   * thread may be on its way back from that when a busy machine holds it up, and is reported then.
   */
  static List<StillRunning> atWork(List<StillRunning> left) {
    return left.stream().filter(one -> !one.thread().startsWith("tenrec-callback-")).toList();
  }

  private static int count(StillRunning one) {
    for (RecordComponent component : StillRunning.class.getRecordComponents()) {
      if (component.getType() == int.class) {
        try {
          return (int) component.getAccessor().invoke(one);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    return 1;
  }
}
