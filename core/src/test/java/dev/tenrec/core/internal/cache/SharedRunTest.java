// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedRunTest {

  private final SharedRun<String> run = new SharedRun<>();
  private final List<String> notified = new ArrayList<>();

  private Sharer<String> failingAtFirst(String name, Error failure) {
    boolean[] failed = {false};
    return result -> {
      if (!failed[0]) {
        failed[0] = true;
        throw failure;
      }
      notified.add(name + " " + result);
    };
  }

  @Test
  void end_sharerThatFails_losesNeitherTheOthersNorItself() {
    run.join(result -> notified.add("first " + result));
    run.join(failingAtFirst("second", new OutOfMemoryError("on purpose")));
    run.join(result -> notified.add("third " + result));

    assertThat(run.end("x")).isFalse();
    assertThat(notified).containsExactly("first x", "third x");

    assertThat(run.end("another")).isTrue();
    assertThat(notified).containsExactly("first x", "third x", "second x");
    assertThat(run.end("x")).isTrue();
    assertThat(notified).hasSize(3);
  }

  @Test
  void join_afterTheEnd_isTooLate_evenWhileOneIsStillToBeNotified() {
    run.join(failingAtFirst("first", new StackOverflowError("on purpose")));
    assertThat(run.end("x")).isFalse();

    assertThat(run.join(result -> notified.add("late"))).isFalse();
    assertThat(run.result()).isEqualTo("x");
  }

  @Test
  void leave_afterTheEnd_dropsNothing() {
    Sharer<String> failing = failingAtFirst("first", new OutOfMemoryError("on purpose"));
    run.join(failing);
    assertThat(run.end("x")).isFalse();

    assertThat(run.leave(failing)).isFalse();
    assertThat(run.end("x")).isTrue();
    assertThat(notified).isEmpty();
  }
}
