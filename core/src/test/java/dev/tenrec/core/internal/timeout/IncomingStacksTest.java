// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IncomingStacksTest {

  private static List<Timeout> chain(@Nullable Timeout first) {
    List<Timeout> all = new ArrayList<>();
    for (Timeout node = first; node != null; node = node.next) {
      all.add(node);
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 4", "3, 8", "4, 8", "5, 16", "8, 16", "9, 16", "1000, 16"})
  void count_always_isTwiceTheThreadsRoundedUp_sixteenAtMost(int threads, int count) {
    IncomingStacks stacks = new IncomingStacks(threads);
    assertThat(stacks.count()).isEqualTo(count);
    for (int stack = 0; stack < count; stack++) {
      assertThat(stacks.takeAll(stack)).isNull();
      assertThat(stacks.close(stack)).isNull();
    }
  }

  @Test
  void push_byOneThread_isOneStack_theLatestFirst() {
    IncomingStacks stacks = new IncomingStacks(8);
    TestTimeout first = new TestTimeout(1);
    TestTimeout second = new TestTimeout(2);
    assertThat(stacks.push(first)).isTrue();
    assertThat(stacks.push(second)).isTrue();
    assertThat(stacks.live()).isEqualTo(2);
    first.ended = true;
    assertThat(stacks.live()).isOne();

    List<List<Timeout>> found = new ArrayList<>();
    for (int stack = 0; stack < stacks.count(); stack++) {
      List<Timeout> all = chain(stacks.takeAll(stack));
      if (!all.isEmpty()) {
        found.add(all);
      }
      assertThat(stacks.takeAll(stack)).as("it is taken").isNull();
    }
    assertThat(found).containsExactly(List.of(second, first));
    assertThat(stacks.live()).isZero();
  }

  @Test
  void push_byManyThreads_isSpreadOverTheStacks() throws Exception {
    IncomingStacks stacks = new IncomingStacks(8);
    List<Timeout> pushed = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      TestTimeout node = new TestTimeout(i);
      pushed.add(node);
      Thread thread = new Thread(() -> stacks.push(node));
      thread.start();
      thread.join();
    }
    assertThat(stacks.live()).isEqualTo(64);

    List<Timeout> taken = new ArrayList<>();
    int used = 0;
    for (int stack = 0; stack < stacks.count(); stack++) {
      List<Timeout> all = chain(stacks.takeAll(stack));
      used += all.isEmpty() ? 0 : 1;
      taken.addAll(all);
    }
    assertThat(taken).containsExactlyInAnyOrderElementsOf(pushed);
    assertThat(used).isGreaterThan(8);
  }

  @Test
  void close_ofAStack_takesWhatIsThere_andRefusesTheRest() {
    IncomingStacks stacks = new IncomingStacks(8);
    TestTimeout before = new TestTimeout(1);
    assertThat(stacks.push(before)).isTrue();
    List<Timeout> taken = new ArrayList<>();
    for (int stack = 0; stack < stacks.count(); stack++) {
      taken.addAll(chain(stacks.close(stack)));
    }
    assertThat(taken).containsExactly(before);

    TestTimeout after = new TestTimeout(2);
    assertThat(stacks.push(after)).isFalse();
    assertThat(after.next).isNull();
    assertThat(stacks.live()).as("the mark of a closed stack is none").isZero();
    for (int stack = 0; stack < stacks.count(); stack++) {
      assertThat(stacks.takeAll(stack)).isNull();
      assertThat(stacks.close(stack)).isNull();
    }
    assertThat(stacks.push(after)).isFalse();
  }
}
