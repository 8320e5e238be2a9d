// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One user of a closed load: calls again when he is answered.
 *
 * <p>An answer may come before the call has returned, on the same thread (a refusal does). So it
 * only asks for the next round, and whoever is in a round makes it: no call inside a call.
 */
final class User {

  private final Consumer<User> call;

  /** Raised by whoever brings an answer, lowered by the one in the round. */
  private final AtomicInteger rounds = new AtomicInteger();

  /**
   * A user that has not begun.
   *
   * @param call sends one call of this user, which runs {@link #next} when it ends; or does
   *     nothing, and the user is done
   */
  User(Consumer<User> call) {
    this.call = call;
  }

  /** Begins, or goes on. */
  void next() {
    if (rounds.getAndIncrement() == 0) {
      do {
        call.accept(this);
      } while (rounds.decrementAndGet() > 0);
    }
  }
}
