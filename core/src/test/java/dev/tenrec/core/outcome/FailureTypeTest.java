// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One word for why there was no answer. */
class FailureTypeTest {

  @ParameterizedTest
  @CsvSource({
    "THREAD_POOL, REJECTED_BY_THREAD_POOL",
    "SEMAPHORE, REJECTED_BY_SEMAPHORE",
    "VIRTUAL_THREAD, REJECTED_BY_SEMAPHORE",
    "RATE_LIMITER, RATE_LIMITED",
    "FALLBACK, REJECTED_FALLBACK",
    "CALLBACK_EXECUTOR, REJECTED_FALLBACK",
    "BATCH_START, REJECTED_FALLBACK",
    "CLOSED, CLOSED"
  })
  void rejection_always_isOfItsReason(Reason reason, FailureType expected) {
    assertThat(new CommandRejectedException("Key", reason, "Pool", 1, 1, false).failureType())
        .isEqualTo(expected);
  }

  @Test
  void timeoutAndInterruption_always_haveTheirWords() {
    assertThat(new CommandTimeoutException("Key", 1, 2, true, false).failureType())
        .isEqualTo(FailureType.TIMED_OUT);
    assertThat(new CommandInterruptedException("Key", false).failureType())
        .isEqualTo(FailureType.INTERRUPTED);
  }

  @Test
  void failureOfACall_always_hasItsWord() {
    try (Tenrec tenrec = Unhurried.tenrec()) {
      Command<String, String> fails =
          tenrec
              .command(
                  "Fails",
                  (String name) -> {
                    if (name.isEmpty()) {
                      return "";
                    }
                    throw new IOException(name);
                  })
              .isolation(Isolation.semaphore(1))
              .build();
      tenrec.set("tenrec.command.Open.circuitBreaker.forceOpen", "true");
      Command<String, String> open = tenrec.command("Open", (String name) -> name).build();

      assertThat(failure(fails)).isEqualTo(FailureType.FAILED);
      assertThat(failure(open)).isEqualTo(FailureType.SHORT_CIRCUITED);
    }
  }

  private static FailureType failure(Command<String, String> command) {
    CommandException thrown =
        catchThrowableOfType(CommandException.class, () -> command.execute("down"));
    return thrown.failureType();
  }
}
