// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.internal.collapser.Place;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.time.ManualTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member that has come to its own deadline, where there is no memory for what follows. */
class MemberTimeoutTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final List<Object> endings = new CopyOnWriteArrayList<>();
  private final AtomicInteger left = new AtomicInteger();

  /** How often there is no memory to receive, and to leave. */
  private final AtomicInteger failingReceptions = new AtomicInteger();

  private final AtomicInteger failingLeaves = new AtomicInteger();

  private final class Subject extends Member<Integer> {
    private final boolean again;

    private Subject(boolean again) {
      this.again = again;
    }

    @Override
    public void onValue(Integer value) {
      endings.add(value);
    }

    @Override
    public void onError(Throwable error) {
      if (failingReceptions.getAndDecrement() > 0) {
        throw new OutOfMemoryError("of the test");
      }
      endings.add(error);
    }

    @Override
    public boolean runsAgain() {
      return again;
    }
  }

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private void expire(Subject member) {
    member.waitAt(
        new Place<>() {
          @Override
          public void left(Member<Integer> leaver) {
            left.incrementAndGet();
            if (failingLeaves.getAndDecrement() > 0) {
              throw new StackOverflowError("of the test");
            }
          }

          @Override
          public @Nullable Outcome<?> outcome() {
            return null;
          }

          @Override
          public boolean workBegan() {
            return false;
          }
        });
    Collapser<Integer, Integer> unused =
        tenrec.collapser("Batch", (List<Integer> ids) -> Map.of(1, 2)).globalScope().build();
    CollapserRuntime runtime =
        InsideTenrec.registry(tenrec).collapsers().iterator().next().runtime();
    new MemberTimeout(runtime, member, 0, 5).expired();
  }

  private void assertEndedOnce() {
    await()
        .until(
            () -> {
              time.advanceMillis(50); // what is tried again, the timer brings
              return !endings.isEmpty();
            });
    assertThat(endings).singleElement().isInstanceOf(CommandTimeoutException.class);
    assertThat(left).as("how often its batch was told").hasValue(1);
  }

  @Test
  void member_atItsDeadline_leavesAndIsToldOnce() {
    expire(new Subject(false));
    assertEndedOnce();
  }

  @Test
  void reception_withoutMemory_isTriedAgain() {
    failingReceptions.set(1);
    expire(new Subject(true));
    assertEndedOnce();
  }

  /** It has received nothing by then, so it makes no difference that it must not twice. */
  @Test
  void leaving_withoutStack_isFollowedByTheReception() {
    failingLeaves.set(1);
    expire(new Subject(false));
    assertEndedOnce();
  }
}
