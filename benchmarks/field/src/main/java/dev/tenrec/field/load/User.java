// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.RunClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One user of a closed load: calls again when he is answered.
 *
 * <p>An answer may come before the call has returned, on the same thread (a refusal does). So it
 * only asks for the next round, and the thread in a round makes it: no call inside a call. After
 * some rounds the thread hands the user back: a user that is answered at once would keep it, and no
 * other user would have a turn.
 */
final class User {

  /** A time that is not there. */
  static final long NONE = -1;

  private static final int MOST_ROUNDS = 16;

  private final Consumer<User> call;
  private final Consumer<Runnable> later;
  private final RunClock clock;

  /** Raised by the thread that brings an answer, lowered by the thread in the round. */
  private final AtomicInteger rounds = new AtomicInteger();

  /** Written and read in rounds, ordered by their counter. */
  private boolean begun;

  /** Since when it waits for a turn; NONE if it does not. Written and read in rounds. */
  private long waitsSinceNanos = NONE;

  /**
   * A user that has not begun.
   *
   * @param call sends one call of this user, which runs {@link #next} when it ends; or does
   *     nothing, and the user is done
   * @param later keeps what is left of a user's rounds until another thread runs it
   */
  User(Consumer<User> call, Consumer<Runnable> later, RunClock clock) {
    this.clock = clock;
    this.call = call;
    this.later = later;
  }

  /** Begins, or goes on. */
  void next() {
    if (rounds.getAndIncrement() == 0) {
      goOn();
    }
  }

  private void goOn() {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      call.accept(this);
      if (rounds.decrementAndGet() == 0) {
        return;
      }
    }
    waitsSinceNanos = clock.nanos();
    later.accept(this::goOn);
  }

  /** Keeps the user until it is given a turn; to be done in a round, which it ends. */
  void holdBack() {
    waitsSinceNanos = clock.nanos();
    later.accept(this::next);
  }

  /** Whether it was held back, and has not had its turn; to be asked in a round. */
  boolean isWaiting() {
    return waitsSinceNanos != NONE;
  }

  /** When the call of this round was due: what a user waits for a turn is not lost. */
  long takeDueNanos() {
    long since = waitsSinceNanos;
    waitsSinceNanos = NONE;
    return since == NONE ? clock.nanos() : since;
  }

  /** Whether this round is the first; to be asked once in a round. */
  boolean begins() {
    boolean first = !begun;
    begun = true;
    return first;
  }
}
