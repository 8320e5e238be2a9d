// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import dev.tenrec.metrics.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What happens at its time, on one thread, beside the shoppers. */
final class Timetable implements AutoCloseable {

  /** Something that happens; it may fail. */
  @FunctionalInterface
  interface Happening {

    void happen() throws Exception;
  }

  private static final long PATIENCE_SECONDS = 60;

  private final Ticker clock;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "timetable");
            made.setDaemon(true);
            return made;
          });
  private final List<Future<?>> once = new ArrayList<>();

  Timetable(Ticker clock) {
    this.clock = clock;
  }

  /** So long after the run's beginning. */
  void at(Duration moment, Happening happening) {
    once.add(
        thread.schedule(
            () -> {
              happening.happen();
              return moment;
            },
            moment.toNanos() - clock.nanoTime(),
            TimeUnit.NANOSECONDS));
  }

  /** Again and again, at each full second of the run. */
  void eachSecond(Runnable task) {
    long second = TimeUnit.SECONDS.toNanos(1);
    Future<?> unused =
        thread.scheduleAtFixedRate(
            task, second - clock.nanoTime() % second, second, TimeUnit.NANOSECONDS);
  }

  /**
   * Ends when all has happened that was due; throws if something failed, for then the run has not
   * shown what it should.
   */
  void finish() throws ExecutionException, InterruptedException {
    for (Future<?> happened : once) {
      happened.get();
    }
    thread.submit(() -> {}).get(); // comes after each second that is over
    close();
    boolean ended = thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      throw new IllegalStateException(
          "the table was still being printed " + PATIENCE_SECONDS + " s after the end");
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
