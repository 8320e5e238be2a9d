// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Of what the budget's share is a share: a tenth here, and no fixed number besides. */
class RetryShareTest {

  private static final int GOOD = 1;
  private static final int BAD = 2;
  private static final int WRONG = 3;
  private static final int SLOW = 4;
  private static final Duration TIMEOUT = Duration.ofMillis(100);

  private final ManualTime time = new ManualTime();

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());

  private Integer work(Integer argument) throws IOException {
    switch (argument) {
      case BAD -> throw new IOException("down");
      case WRONG -> throw new BadRequestException("wrong");
      case SLOW -> time.advance(TIMEOUT);
      default -> {}
    }
    return argument;
  }

  private CommandBuilder<Integer, Integer> command(String key) {
    return tenrec
        .command(key, this::work)
        .isolation(Isolation.semaphore(10))
        .timeout(TIMEOUT)
        .withoutCircuitBreaker()
        .fallbackValue(-1)
        .retry(
            Retry.attempts(2)
                .backoff(Duration.ZERO, Duration.ZERO)
                .howeverLittleTimeIsLeft()
                .budget(10, 0));
  }

  private static void call(Command<Integer, Integer> command, int times, int argument) {
    for (int i = 0; i < times; i++) {
      assertThat(command.execute(argument)).isEqualTo(argument == GOOD ? GOOD : -1);
    }
  }

  private static long retries(Command<?, ?> command) {
    return command.view().cumulativeCount(EventType.RETRY);
  }

  /** The budget is for ten seconds, so a minute's calls are six times what it may look at. */
  @Test
  void share_ofALongerWindow_isThatOfTenSeconds() {
    Command<Integer, Integer> command =
        command("Minute").property("metrics.rollingStats.timeInMilliseconds", "60000").build();
    call(command, 600, GOOD);

    call(command, 30, BAD); // of which the first is read with the others
    assertThat(retries(command)).isEqualTo(10);
  }

  /** Whatever came to the dependency counts, however it ended. */
  @Test
  void share_withTimeOutsAndBadRequests_isOfTheseAsWell() {
    Command<Integer, Integer> command = command("Mixed").build();
    call(command, 5, SLOW);
    call(command, 20, GOOD);
    for (int i = 0; i < 24; i++) {
      assertThatThrownBy(() -> command.execute(WRONG)).isInstanceOf(BadRequestException.class);
    }

    call(command, 20, BAD); // of which the first makes them fifty
    assertThat(retries(command)).isEqualTo(5);
    assertThat(command.view().cumulativeCount(EventType.TIMEOUT)).isEqualTo(5);
  }
}
