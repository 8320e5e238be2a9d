// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class ClosedTimeoutsTest {

  private final ClosedTimeouts left = new ClosedTimeouts();

  @Test
  void add_ofOneThatHasEnded_isNothing() {
    TestTimeout ended = new TestTimeout(1);
    ended.ended = true;
    ended.next = new TestTimeout(2);
    left.add(ended);
    assertThat(left).isEmpty();
    assertThat(ended.next).as("it keeps no other").isNull();
  }

  @Test
  void addAll_ofAChain_leavesOutTheEndedOnes() {
    TestTimeout first = new TestTimeout(1);
    TestTimeout second = new TestTimeout(2);
    TestTimeout third = new TestTimeout(3);
    first.next = second;
    second.next = third;
    second.ended = true;
    left.addAll(first);
    left.addAll(null);
    assertThat(left).containsExactlyInAnyOrder(first, third);
  }

  @Test
  void iterator_atItsEnd_throws() {
    left.add(new TestTimeout(1));
    Iterator<Timeout> all = left.iterator();
    assertThat(all.hasNext()).isTrue();
    assertThat(all.next()).isNotNull();
    assertThat(all.hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(all::next);
  }

  @Test
  void end_withAReportThatThrows_goesOnAllTheSame() {
    List<String> closed = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      left.add(
          new TestTimeout(1) {
            private boolean failed;

            @Override
            public void closed() {
              if (!failed) {
                failed = true;
                throw new OutOfMemoryError("on purpose");
              }
              closed.add(name);
            }
          });
    }
    List<String> reports = new ArrayList<>();
    assertThat(
            left.end(
                (what, thrown) -> {
                  reports.add(what + ": " + thrown.getMessage());
                  throw new IllegalStateException("on purpose");
                }))
        .isFalse();
    assertThat(reports)
        .hasSize(2)
        .containsOnly("closing could not end a call, and tries again: on purpose");
    assertThat(closed).isEmpty();
    assertThat(left.end((what, thrown) -> reports.add(what))).isTrue();
    assertThat(closed).containsExactlyInAnyOrder("a", "b");
    assertThat(reports).hasSize(2);
  }
}
