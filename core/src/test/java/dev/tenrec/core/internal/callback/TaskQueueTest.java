// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskQueueTest {

  private final TaskQueue queue = new TaskQueue();

  private CallbackTask added() {
    CallbackTask task = CallbackTask.of(() -> {});
    queue.add(task);
    return task;
  }

  private List<CallbackTask> taken() {
    List<CallbackTask> all = new ArrayList<>();
    for (CallbackTask task = queue.take(); task != null; task = queue.take()) {
      all.add(task);
    }
    return all;
  }

  private void assertEmpty() {
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.size()).isZero();
    assertThat(queue.first()).isNull();
    assertThat(queue.take()).isNull();
    assertThat(queue.size()).isZero();
  }

  @Test
  void queue_always_keepsTheOrder() {
    assertEmpty();
    CallbackTask first = added();
    assertThat(queue.isEmpty()).isFalse();
    assertThat(queue.first()).isSameAs(first);
    CallbackTask second = added();
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.first()).isSameAs(first);
    assertThat(queue.take()).isSameAs(first);
    assertThat(queue.size()).isOne();
    CallbackTask third = added();
    assertThat(taken()).containsExactly(second, third);
    assertEmpty();
  }

  @Test
  void add_ofATaskThatStillHasItsLink_dropsThat() {
    CallbackTask first = added();
    CallbackTask second = added();
    assertThat(taken()).containsExactly(first, second);
    assertThat(first.next).as("for a thread that goes through the queue").isSameAs(second);
    queue.add(first);
    assertThat(taken()).containsExactly(first);
    assertEmpty();
  }

  /**
   * The first, one between, the last: the others keep their order, and the next comes after them.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void remove_ofOne_leavesTheOthers(int which) {
    List<CallbackTask> all = new ArrayList<>(List.of(added(), added(), added()));
    CallbackTask gone = all.remove(which);
    assertThat(queue.remove(gone)).isTrue();
    assertThat(queue.remove(gone)).isFalse();
    assertThat(queue.size()).isEqualTo(2);
    all.add(added());
    assertThat(taken()).isEqualTo(all);
    assertEmpty();
  }

  @Test
  void remove_ofTheOnlyOne_leavesNone() {
    assertThat(queue.remove(CallbackTask.of(() -> {}))).isFalse();
    assertThat(queue.remove(added())).isTrue();
    assertEmpty();
    CallbackTask next = added();
    assertThat(taken()).containsExactly(next);
  }
}
