// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.listening;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.sampling.HeldTasks;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransitionNotifierTest {

  private final ManualTime time = new ManualTime();
  private final HeldTasks tasks = new HeldTasks();
  private final Timer timer = new Timer(time, time, Thread::new);
  private final CallbackExecutor executor =
      CallbackExecutor.of(tasks, timer, time, time, Thread::new);
  private final CallbackShare callbacks = executor.newShare("Subject");
  private final List<Transition> heard = new ArrayList<>();

  @AfterEach
  void close() {
    assertThat(executor.close(time.nanoTime(), time.nanoTime())).isEmpty();
    timer.close();
  }

  @Test
  void transition_thatFoundNoMemory_keepsNoLaterOneFromTheListeners() {
    Transition first = transition(1);
    Transition second = transition(2);
    Transition third = transition(3);
    TransitionNotifier notifier =
        new TransitionNotifier(
            "Subject",
            (key, transition) -> {
              if (transition == first) {
                throw new OutOfMemoryError("of the test");
              }
              heard.add(transition);
            },
            callbacks);

    notifier.add(first);
    notifier.add(second);
    notifier.start();
    tasks.run();
    notifier.add(third);
    notifier.start();
    tasks.run();

    assertThat(heard).containsExactly(second, third);
  }

  private static Transition transition(long number) {
    return new Transition(
        number,
        CircuitState.CLOSED,
        CircuitState.OPEN,
        0,
        Instant.EPOCH,
        TransitionReason.THRESHOLD_REACHED,
        HealthSnapshot.EMPTY,
        new BreakerRules(20, 50, 5_000_000_000L, 1, 1_000));
  }
}
