// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.load.engine.Shot;
import dev.tenrec.field.load.engine.Target;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One call of a target, noted when it is sent and when it ends. */
final class TimedShot implements Shot {

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private final Target target;
  private final Tally tally;
  private final RunClock clock;
  private final long intendedNanos;
  private final Runnable ended;

  /**
   * One that is due.
   *
   * @param intendedNanos when it was due, since the load began
   * @param ended is run when it is over, on whichever thread ended it
   */
  TimedShot(Target target, Tally tally, RunClock clock, long intendedNanos, Runnable ended) {
    this.target = target;
    this.tally = tally;
    this.clock = clock;
    this.intendedNanos = intendedNanos;
    this.ended = ended;
  }

  @Override
  public void send() {
    long sentNanos = clock.nanos();
    tally.sent();
    try {
      note(sentNanos, target.call(), null);
    } catch (Exception failed) {
      note(sentNanos, 0, failed);
    }
  }

  @Override
  public void sendAsync() {
    long sentNanos = clock.nanos();
    tally.sent();
    CompletionStage<Integer> status;
    try {
      status = target.callAsync();
    } catch (RuntimeException failed) {
      note(sentNanos, 0, failed);
      return;
    }
    var unused =
        status.whenComplete((code, failed) -> note(sentNanos, failed == null ? code : 0, failed));
  }

  @Override
  public void drop(Throwable why) {
    tally.dropped(why, intendedNanos, clock.nanos());
    ended.run();
  }

  private void note(long sentNanos, int status, @Nullable Throwable thrown) {
    long nowNanos = clock.nanos();
    Throwable failed = bare(thrown);
    if (status >= 200 && status < 300) {
      tally.answered(intendedNanos, sentNanos, nowNanos);
    } else if (status == TOO_MANY_REQUESTS || status == UNAVAILABLE || isRefusal(failed)) {
      tally.refused(intendedNanos, nowNanos);
    } else {
      Throwable why = failed != null ? failed : new IOException("status " + status);
      tally.failed(why, intendedNanos, nowNanos);
    }
    ended.run();
  }

  private static boolean isRefusal(@Nullable Throwable failed) {
    return failed instanceof CommandRejectedException || failed instanceof CircuitOpenException;
  }

  private static @Nullable Throwable bare(@Nullable Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }
}
