// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.PatientWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a rejection says is what it was decided on, whatever changes meanwhile. */
class RejectionFiguresTest {

  private static final long NANOS = 2_000_000_000L;

  @Test
  @Tag("race")
  void rejection_whileTheLimitChanges_neverSaysThatThereWasRoom() throws Exception {
    AtomicReference<@Nullable CommandRejectedException> wrong = new AtomicReference<>();
    AtomicInteger refusals = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch full = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    try (Tenrec tenrec = Unhurried.tenrec()) {
      Command<Boolean, String> command =
          tenrec
              .command(
                  "Subject",
                  (Boolean holds) -> {
                    if (holds) {
                      full.countDown();
                      release.await();
                    }
                    return "answer";
                  })
              .isolation(Isolation.semaphore(2))
              .withoutTimeout()
              .withoutCircuitBreaker()
              .build();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        threads.add(started(() -> command.execute(true)));
      }
      full.await();
      for (int i = 0; i < 2; i++) {
        threads.add(
            started(
                () -> {
                  while (!over.get()) {
                    try {
                      command.execute(false);
                    } catch (CommandRejectedException refused) {
                      refusals.incrementAndGet();
                      if (refused.inUse() < refused.limit()) {
                        wrong.compareAndSet(null, refused);
                      }
                    }
                  }
                }));
      }
      String limit = "tenrec.command.Subject.execution.isolation.semaphore.maxConcurrentRequests";
      long end = System.nanoTime() + NANOS;
      for (int i = 0; System.nanoTime() - end < 0 || refusals.get() == 0; i++) {
        tenrec.set(limit, i % 2 == 0 ? "6" : "2");
      }
      over.set(true);
      release.countDown();
      for (Thread thread : threads) {
        thread.join(PatientWaits.patience().toMillis());
      }
    }

    assertThat(wrong.get()).isNull();
    assertThat(refusals).hasPositiveValue();
  }

  private static Thread started(Runnable task) {
    Thread thread = new Thread(task, "caller");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
