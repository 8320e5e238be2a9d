// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.work.Call;
import dev.tenrec.field.load.engine.Target;
import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.metrics.event.EventType;
import java.net.URI;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A command around a service that is slow now and then: whether an attempt is slow is drawn for
 * each attempt, whatever became of others. Thread-safe.
 */
final class TailTarget implements Target {

  private static final int ASYNC_THREADS = 2;
  private static final int PERMITS = 100_000;
  private static final int PERCENT = 100;

  /** An answer, and whether the attempt that brought it was a slow one. */
  private record Answer(int status, boolean slow) {}

  /** What is drawn for the attempts of one call. */
  private static final class Draws {

    /** Raised by the threads that begin attempts. */
    final AtomicInteger fast = new AtomicInteger();
  }

  private final TailForm form;
  private final HttpTarget fast;
  private final HttpTarget slow;
  private final Tenrec tenrec = Tenrec.create();
  private final Command<Draws, Answer> command;

  /** Guarded by itself. */
  private final SplittableRandom random = new SplittableRandom(1);

  private final LongAdder attempts = new LongAdder();
  private final LongAdder firstSlow = new LongAdder();
  private final LongAdder slowAnswers = new LongAdder();
  private final LongAdder allSlow = new LongAdder();

  TailTarget(TailForm form, boolean hedged, URI service) {
    this.form = form;
    this.fast = http(service, form.fastMillis());
    this.slow = http(service, form.slowMillis());
    CommandBuilder<Draws, Answer> builder =
        tenrec
            .asyncCommand("Tail", this::attempt)
            .isolation(Isolation.semaphore(PERMITS))
            .timeout(form.patience())
            .withoutCircuitBreaker();
    this.command =
        (hedged
                ? builder.hedge(
                    Hedge.after(form.hedgeAfter())
                        .budget(TailForm.BUDGET_PERCENT, TailForm.BUDGET_PER_SECOND))
                : builder)
            .build();
  }

  private HttpTarget http(URI service, int millis) {
    HttpAddress address = HttpAddress.of(service + "delay/" + millis);
    return new HttpTarget(address, form.patience().multipliedBy(2), ASYNC_THREADS);
  }

  private CompletionStage<Answer> attempt(Draws draws, Call call) {
    boolean isSlow;
    synchronized (random) {
      isSlow = random.nextInt(PERCENT) < form.slowPercent();
    }
    attempts.increment();
    if (!isSlow) {
      draws.fast.incrementAndGet();
    } else if (call.attempt() == 1) {
      firstSlow.increment();
    }
    return (isSlow ? slow : fast).callAsync().thenApply(status -> new Answer(status, isSlow));
  }

  @Override
  public int call() {
    return callAsync().toCompletableFuture().join();
  }

  @Override
  public CompletionStage<Integer> callAsync() {
    Draws draws = new Draws();
    return command
        .executeAsync(draws)
        .thenApply(
            answer -> {
              if (answer.slow()) {
                slowAnswers.increment();
                if (draws.fast.get() == 0) {
                  allSlow.increment();
                }
              }
              return answer.status();
            });
  }

  /** Attempts that were begun. */
  long attempts() {
    return attempts.sum();
  }

  /** Calls whose first attempt was a slow one. */
  long firstSlow() {
    return firstSlow.sum();
  }

  /** Calls that were answered by a slow attempt. */
  long slowAnswers() {
    return slowAnswers.sum();
  }

  /** Those of them that had no other attempt than slow ones. */
  long allSlow() {
    return allSlow.sum();
  }

  long count(EventType event) {
    return command.view().cumulativeCount(event);
  }

  @Override
  public void close() throws Exception {
    fast.close();
    slow.close();
    tenrec.close();
  }
}
