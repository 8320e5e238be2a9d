// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an ending of a shared run does while some that share it are left. */
class SharedEndingTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final CommandRuntime runtime =
      Inside.runtime(tenrec.command("Subject", (String argument) -> argument).build().view());
  private final AtomicBoolean noneLeft = new AtomicBoolean();
  private final SharedEnding ending = new SharedEnding(runtime, noneLeft::get);

  @AfterEach
  void close() {
    noneLeft.set(true);
    assertThat(Elsewhere.call(() -> tenrec.close(Duration.ZERO)))
        .succeedsWithin(PatientWaits.patience());
  }

  /** The timer's node is in one list at most. */
  @Test
  void end_whileTheTimerHasIt_isNotArmedAgain() {
    ending.end();
    ending.end();

    Scenario.await().until(() -> Inside.pendingTimeouts(runtime) == 1);
    noneLeft.set(true);
    ending.end();
    assertThat(ending.isEnded()).isTrue();
  }

  /** Or the timer would forget it, and closing would not find it. */
  @Test
  void expiry_afterTheTimerWasClosed_failsWhileSomeAreLeft() {
    close();
    noneLeft.set(false);

    assertThatThrownBy(ending::expired).isInstanceOf(IllegalStateException.class);
    assertThat(ending.isEnded()).isFalse();
  }
}
