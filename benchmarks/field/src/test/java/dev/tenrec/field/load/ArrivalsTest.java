// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.field.load.engine.Engines;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  @Test
  void dueNanos_ofARateThatDoesNotDivideASecond_doesNotDrift() {
    Arrivals.Open open = new Arrivals.Open(3);

    assertThat(open.dueNanos(0)).isZero();
    assertThat(open.dueNanos(1)).isEqualTo(333_333_333);
    assertThat(open.dueNanos(3_000_000)).isEqualTo(1_000_000L * 1_000_000_000);
  }

  @Test
  void arrivals_ofNobody_areRefused() {
    assertThatThrownBy(() -> new Arrivals.Open(0))
        .hasMessage("there are 0 calls a second, expected at least 1");
    assertThatThrownBy(() -> new Arrivals.Closed(-1))
        .hasMessage("there are -1 users, expected at least 1");
  }

  @Test
  void plan_beyondItsBounds_isRefused() {
    assertThatThrownBy(() -> plan(Engines.ASYNC, new Arrivals.Open(1), 0, 1))
        .hasMessage("there are 0 requests, expected 1 to 10000000");
    assertThatThrownBy(() -> plan(Engines.ASYNC, new Arrivals.Open(1), 1, 3_601))
        .hasMessage("the load takes PT1H1S, expected up to PT1H");
  }

  @Test
  void mostInFlight_isWhatEngineAndArrivalsAllow() {
    Duration timeout = Duration.ofSeconds(10);

    assertThat(plan(Engines.ASYNC, new Arrivals.Open(50), 9_999, 60).mostInFlight(timeout))
        .isEqualTo(500);
    assertThat(plan(Engines.ASYNC, new Arrivals.Open(50), 99, 60).mostInFlight(timeout))
        .isEqualTo(99);
    assertThat(plan(Engines.THREAD, new Arrivals.Closed(70), 9_999, 60).mostInFlight(timeout))
        .isEqualTo(70);
    assertThat(plan(Engines.POOL, new Arrivals.Closed(70), 9_999, 60).mostInFlight(timeout))
        .isEqualTo(20);
  }

  @Test
  void fileHandles_tooFew_saysHowManyAreNeeded() {
    FileHandles.require(900, 1_000);
    assertThatThrownBy(() -> FileHandles.require(5_000, 1_024))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "5000 calls at once need 5100 file handles, and this process may open 1024; expected a"
                + " higher limit (ulimit -n 5100), or fewer calls at once");
  }

  private static Plan plan(Engines engine, Arrivals arrivals, long requests, int seconds) {
    return new Plan(
        engine, 20, arrivals, requests, Duration.ofSeconds(seconds), Duration.ofSeconds(1));
  }
}
