// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.load;

import dev.tenrec.examples.storefront.command.Calls;
import dev.tenrec.metrics.time.Ticker;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open load: shoppers come by the clock, however long those before them have to wait. (A closed
 * one, in which the next call waits for the last one's answer, goes easy on a service just when it
 * is slow.)
 */
public final class Shoppers implements AutoCloseable {

  private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

  private final Ticker clock;
  private final Calls calls;
  private final CallLog log;
  private final ExecutorService visits;

  /**
   * Nobody comes yet.
   *
   * @param log where each call is noted
   */
  public Shoppers(Ticker clock, Calls calls, CallLog log) {
    this.clock = clock;
    this.calls = calls;
    this.log = log;
    AtomicInteger threads = new AtomicInteger();
    visits =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, "shopper-" + threads.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Has shoppers come, evenly, until this moment since the beginning of the run. A thread that was
   * late catches up.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void comeUntil(Duration end, int visitsPerSecond) throws InterruptedException {
    come(clock.nanoTime(), end.toNanos(), visitsPerSecond);
  }

  /**
   * Has shoppers come, evenly, for so long from now on. A thread that was late catches up.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void comeFor(Duration length, int visitsPerSecond) throws InterruptedException {
    long nowNanos = clock.nanoTime();
    come(nowNanos, nowNanos + length.toNanos(), visitsPerSecond);
  }

  private void come(long beginNanos, long endNanos, int visitsPerSecond)
      throws InterruptedException {
    long gapNanos = Duration.ofSeconds(1).toNanos() / visitsPerSecond;
    long dueNanos = beginNanos;
    for (int number = 0; dueNanos < endNanos; number++, dueNanos += gapNanos) {
      TimeUnit.NANOSECONDS.sleep(dueNanos - clock.nanoTime());
      visits.execute(new Visit(calls, log, number));
    }
  }

  /**
   * Waits until each call is answered, but not for ever.
   *
   * @return whether each is
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean awaitAnswers(Duration patience) throws InterruptedException {
    long lastNanos = clock.nanoTime() + patience.toNanos();
    visits.shutdown();
    boolean ended = visits.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
    while (ended && log.all().stream().anyMatch(answers -> answers.answered() < answers.calls())) {
      long nowNanos = clock.nanoTime();
      if (nowNanos >= lastNanos) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
    }
    return ended;
  }

  @Override
  public void close() {
    visits.shutdownNow();
  }
}
