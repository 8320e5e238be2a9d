// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.model.CanaryGuard;
import dev.tenrec.metrics.event.EventType;
import org.junit.jupiter.api.Test;

/** What a guard says of counts; when a member looks is shown beside the fleet. */
class GuardWatchTest {

  @Test
  void p99_thatNoTimeReaches_neverTrips() {
    try (Tenrec tenrec = Tenrec.create()) {
      CanaryGuard guard = new CanaryGuard(null, 1, null, null, Long.MAX_VALUE);
      GuardWatch watch = GuardWatch.start(1, guard, tenrec);
      var command =
          tenrec
              .command("GetQuote", (String s) -> s)
              .isolation(Isolation.semaphore(1))
              .withoutTimeout()
              .build();
      assertThat(command.execute("x")).isEqualTo("x");
      assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isOne();

      assertThat(watch.tripped(tenrec)).isNull();
    }
  }
}
