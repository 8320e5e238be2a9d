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

  @Test
  void leave_ofTheLast_dropsTheRun() {
    Sharer<String> first = result -> notified.add("first");
    Sharer<String> second = result -> notified.add("second");
    assertThat(run.join(first)).isTrue();
    assertThat(run.join(second)).isTrue();

    assertThat(run.leave(first)).isFalse();
    assertThat(run.leave(first)).as("it has left").isFalse();
    assertThat(run.leave(second)).isTrue();

    assertThat(run.leave(second)).isFalse();
    assertThat(run.join(first)).isFalse();
    assertThat(run.end("x")).as("nothing is left to do").isTrue();
    assertThat(run.result()).isNull();
    assertThat(notified).isEmpty();
  }

  @Test
  void leave_ofOneOfTwo_leavesTheOther() {
    Sharer<String> first = result -> notified.add("first " + result);
    run.join(first);
    run.join(result -> notified.add("second " + result));
    assertThat(run.leave(first)).isFalse();
    assertThat(run.end("x")).isTrue();
    assertThat(notified).containsExactly("second x");
  }

  /** As where two threads end it: the second takes what the first has not, and knows of that. */
  @Test
  void end_whileASharerIsNotified_notifiesTheOthers_andIsToBeCalledAgain() {
    List<Boolean> inside = new ArrayList<>();
    run.join(
        result -> {
          inside.add(run.end("y"));
          notified.add("first " + result);
        });
    run.join(result -> notified.add("second " + result));

    assertThat(run.end("x")).isTrue();

    assertThat(inside).containsExactly(false);
    assertThat(notified).containsExactly("second x", "first x");
  }
}
