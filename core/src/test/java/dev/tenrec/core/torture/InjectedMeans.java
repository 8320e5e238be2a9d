// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import java.time.Duration;

/** How many attempts the call of an {@link InjectedScenario} may have. */
enum InjectedMeans {
  /** One, which is the call's own execution. */
  ONE_ATTEMPT,
  /** Another one beside the first, if that takes too long. */
  HEDGE,
  /** Another one after the first, if that takes too long. */
  ATTEMPT_TIMEOUT,
  /** Another one beside the first, and a third if both take too long. */
  ROUNDS;

  private static final Duration ATTEMPT = Duration.ofMillis(30);

  /** Whether a command that is called by a door, and works in a way, can have it. */
  boolean exists(Way way, InjectedDoor door) {
    boolean ofACommand = !door.isMember() && !door.isGuard() && door != InjectedDoor.STREAM;
    return switch (this) {
      case ONE_ATTEMPT -> true;
      case HEDGE, ROUNDS -> ofACommand && way != Way.SEMAPHORE;
      case ATTEMPT_TIMEOUT -> ofACommand;
    };
  }

  /** Whether an attempt may end by a time-out of its own. */
  boolean limitsAttempts() {
    return this == ATTEMPT_TIMEOUT || this == ROUNDS;
  }

  void set(CommandBuilder<String, String> builder) {
    if (this == HEDGE || this == ROUNDS) {
      builder.hedge(Hedge.after(ATTEMPT).budget(100, 1_000));
    }
    if (limitsAttempts()) {
      builder.retry(
          Retry.attempts(this == ROUNDS ? 3 : 2)
              .backoff(Duration.ZERO, Duration.ZERO)
              .budget(100, 1_000)
              .attemptTimeout(this == ROUNDS ? ATTEMPT.multipliedBy(3).dividedBy(2) : ATTEMPT)
              .howeverLittleTimeIsLeft()
              .onlyIf(thrown -> thrown instanceof CommandTimeoutException));
    }
  }
}
