// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The start of a batch comes to one end of three. */
class BatchStartTaskTest {

  private final List<String> steps = new ArrayList<>();
  private final List<Error> closing = new ArrayList<>();
  private final BatchStartTask task =
      new BatchStartTask(
          () -> steps.add("start"),
          () -> steps.add("late"),
          () -> {
            if (!closing.isEmpty()) {
              throw closing.remove(0);
            }
            steps.add("closed");
          });

  @Test
  void abort_ofABegunTask_isNothing() {
    task.runHere();
    task.abort();
    task.notBegun(5);
    assertThat(steps).containsExactly("start");
  }

  @Test
  void abort_beforeItBegins_isInsteadOfIt() {
    task.abort();
    task.abort();
    task.runHere();
    task.notBegun(5);
    assertThat(steps).containsExactly("closed");
  }

  @Test
  void abort_withoutMemory_isMadeUpForByTheNext() {
    closing.add(new OutOfMemoryError("of the test"));
    assertThatThrownBy(task::abort).isInstanceOf(OutOfMemoryError.class);
    task.runHere();
    assertThat(steps).isEmpty();
    task.abort();
    assertThat(steps).containsExactly("closed");
  }

  @Test
  void notBegun_beforeItBegins_isInsteadOfIt() {
    task.notBegun(5);
    task.abort();
    task.runHere();
    assertThat(steps).containsExactly("late");
  }
}
