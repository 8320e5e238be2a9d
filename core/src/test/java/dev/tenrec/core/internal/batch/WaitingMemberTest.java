// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.collapser.Deliverer;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.time.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller whose member is settled by a thread that does not go on with it. */
@OwnThread
class WaitingMemberTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void close() {
    goOn.countDown();
    tenrec.close();
  }

  private CollapserRuntime runtime() {
    Collapser<Integer, Integer> unused =
        tenrec.collapser("Batch", (List<Integer> ids) -> Map.of(1, 2)).globalScope().build();
    return InsideTenrec.registry(tenrec).collapsers().iterator().next().runtime();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void await_betweenSettlingAndAnswer_sleepsAndKeepsAnInterrupt(boolean interrupted)
      throws Exception {
    CollapserRuntime runtime = runtime();
    AtomicReference<WaitingMember<Integer>> member = new AtomicReference<>();
    CountDownLatch settled = new CountDownLatch(1);
    AtomicBoolean keptInterrupt = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              WaitingMember<Integer> waits = new WaitingMember<>(runtime, false);
              member.set(waits);
              Uninterruptibly.await(settled);
              if (interrupted) {
                Thread.currentThread().interrupt();
              }
              waits.await();
              keptInterrupt.set(Thread.currentThread().isInterrupted());
            });
    caller.setDaemon(true); // if this fails, it waits for ever
    caller.start();
    await().until(() -> member.get() != null);
    Thread answering =
        new Thread(
            () -> {
              boolean unused =
                  member
                      .get()
                      .publish(
                          7,
                          null,
                          () -> {
                            settled.countDown();
                            Uninterruptibly.await(goOn);
                          });
            });
    answering.start();

    await().until(() -> time.waiting().contains(caller));
    goOn.countDown();

    answering.join();
    caller.join();
    assertThat(member.get().value()).isEqualTo(7);
    assertThat(keptInterrupt.get()).isEqualTo(interrupted);
  }

  @Test
  void member_thatHasShownItsEnding_needsNoDelivery() {
    WaitingMember<Integer> member = new WaitingMember<>(runtime(), false);
    List<Member<?>> due = new ArrayList<>();

    assertThat(member.publish(7, null)).isTrue();
    member.deliverApart(due::add);

    assertThat(due).isEmpty();
    assertThat(member.value()).isEqualTo(7);
    member.onValue(8);
    member.onError(new IllegalStateException("of the test"));
    assertThat(member.value()).isEqualTo(7);
    assertThat(member.error).isNull();
  }

  /** The stack may end where its answer is published: delivering wakes its caller then. */
  @Test
  void answer_thatWasNotShown_isMadeUpForByDelivering() {
    WaitingMember<Integer> member = new WaitingMember<>(runtime(), false);
    List<Member<?>> due = new ArrayList<>();
    assertThat(member.publish(7, null, WaitingMemberTest::overflow)).isTrue();

    member.deliverApart(due::add);
    assertThat(due).containsExactly(member);
    due.forEach(Deliverer.HERE::deliver);

    assertThat(member.runsUserCode()).as("its caller waits still").isFalse();
    assertThat(member.value()).isEqualTo(7);
    assertThat(member.error).isNull();
  }

  @Test
  void error_thatWasNotShown_isMadeUpForByDelivering() {
    WaitingMember<Integer> member = new WaitingMember<>(runtime(), false);
    IllegalStateException error = new IllegalStateException("of the test");
    assertThat(member.publish(null, error, WaitingMemberTest::overflow)).isTrue();
    assertThat(member.runsUserCode()).isTrue();

    Deliverer.HERE.deliver(member);

    assertThat(member.runsUserCode()).as("its caller waits still").isFalse();
    assertThat(member.error).isSameAs(error);
  }

  private static void overflow() {
    throw new StackOverflowError("of the test");
  }
}
