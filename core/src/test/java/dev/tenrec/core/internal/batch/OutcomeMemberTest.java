// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member that receives an outcome, where there is no memory for it. */
class OutcomeMemberTest {

  private final Tenrec tenrec = Unhurried.tenrec();
  private final List<Member<?>> again = new ArrayList<>();

  @AfterEach
  void close() {
    tenrec.close();
  }

  private final class Subject extends OutcomeMember<Integer> {
    private final List<Outcome<Integer>> received = new ArrayList<>();
    private final List<Error> onReceiving = new ArrayList<>();

    private Subject(BatchDoor<?, Integer> door) {
      super(door);
    }

    @Override
    protected void onOutcome(Outcome<Integer> ended) {
      received.add(ended);
      if (!onReceiving.isEmpty()) {
        throw onReceiving.remove(0);
      }
    }
  }

  private Subject member() {
    Collapser<Integer, Integer> unused =
        tenrec.collapser("Batch", (List<Integer> ids) -> Map.of(1, 2)).globalScope().build();
    return new Subject(
        new BatchDoor<Integer, Integer>(
            InsideTenrec.registry(tenrec).collapsers().iterator().next().runtime(),
            () -> {
              throw new AssertionError("it joins no batch");
            },
            null));
  }

  /** What receives it is the user's, and may have received it: never twice. */
  @Test
  void reception_ofAnOutcomeThatIsThere_isNotTriedAgain() {
    Subject member = member();
    assertThat(member.runsAgain()).as("nothing is there to receive").isTrue();
    member.onReceiving.add(new OutOfMemoryError("of the test"));

    assertThat(member.publish(7, null)).isTrue();
    member.deliver(again::add);

    assertThat(member.runsAgain()).isFalse();
    assertThat(again).isEmpty();
    assertThat(member.received).singleElement().returns(7, Outcome::value);
  }
}
