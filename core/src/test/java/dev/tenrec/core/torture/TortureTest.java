// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * 500 callers, through all doors, at commands of all kinds, with failures, time-outs,
 * cancellations, interrupts and changes of settings at random: whatever happens, each call ends
 * exactly once, for its caller and in the counts, and nothing is left.
 */
@OwnThread
class TortureTest {

  private static final int CALLERS = 500;

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().callbacks(4, 100).build());

  @Test
  @Tag("race")
  void everyCall_underTorture_endsOnceAndLeavesNothing() throws Exception {
    torture(Duration.ofSeconds(3));
  }

  @Test
  @Tag("long")
  void everyCall_underLongTorture_endsOnceAndLeavesNothing() throws Exception {
    torture(Duration.ofSeconds(Long.getLong("tenrec.torture.seconds", 60)));
  }

  private void torture(Duration time) throws Exception {
    AtomicBoolean healthy = new AtomicBoolean();
    List<TorturedCommand> commands = TorturedCommand.all(tenrec, healthy);
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      Thread caller = new Thread(() -> call(commands, over), "caller-" + i);
      callers.add(caller);
      caller.start();
    }
    disturb(commands, callers, time);
    over.set(true);
    for (Thread caller : callers) {
      caller.join(PatientWaits.patience().toMillis());
      assertThat(caller.isAlive()).as("%s hangs", caller).isFalse();
    }
    for (TorturedCommand command : commands) {
      await().atMost(PatientWaits.patience()).untilAsserted(command::assertAllAnswered);
    }
    LeakGuard.assertQuiet(tenrec);
    for (TorturedCommand command : commands) { // an attempt that was outrun is counted at its end
      await().atMost(PatientWaits.patience()).untilAsserted(command::assertAccount);
      assertThat(Inside.waitingForRetry(command.view())).isZero();
    }

    healthy.set(true);
    for (TorturedCommand command : commands) {
      command.calm();
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(PatientWaits.patience())
          .untilAsserted(
              () -> {
                assertThat(command.answersWhenHealthy()).isTrue();
                // a look at a window that has the torture in it may open it once more
                assertThat(command.view().circuitState().name()).isEqualTo("CLOSED");
              });
      assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isPositive();
    }
  }

  private static void call(List<TorturedCommand> commands, AtomicBoolean over) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    while (!over.get()) {
      commands.get(random.nextInt(commands.size())).callByAnyDoor(random);
      LockSupport.parkNanos(random.nextLong(50_000_000)); // or rejections would be all there is
    }
  }

  private void disturb(List<TorturedCommand> commands, List<Thread> callers, Duration time) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      callers.get(random.nextInt(CALLERS)).interrupt();
      if (random.nextInt(5) == 0) {
        commands.get(random.nextInt(commands.size())).change(random);
      }
      LockSupport.parkNanos(500_000);
    }
  }
}
