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
  void dueNanos_inARamp_comeEverFaster_andEvenlyAfterIt() {
    Arrivals.Open open = new Arrivals.Open(100, Duration.ofSeconds(2));

    // half of what it would be without a ramp: 100, a quarter of them in its first half
    assertThat(open.dueNanos(0)).isZero();
    assertThat(open.dueNanos(25)).isEqualTo(1_000_000_000);
    assertThat(open.dueNanos(100)).isEqualTo(2_000_000_000);
    assertThat(open.dueNanos(101)).isEqualTo(2_010_000_000);
    assertThat(open.dueNanos(1_100)).isEqualTo(12_000_000_000L);
    assertThat(open.label()).isEqualTo("open model, 100 calls/s after a ramp of 2.0 s");
    for (int number = 1; number < 200; number++) {
      assertThat(open.dueNanos(number)).isGreaterThan(open.dueNanos(number - 1));
    }
  }

  @Test
  void dueNanos_ofARampThatEndsBetweenTwoCalls_goOnAtTheRate() {
    Arrivals.Open open = new Arrivals.Open(3, Duration.ofSeconds(1));

    // 1.5 calls in the ramp, so that the third is due half a step after it
    assertThat(open.dueNanos(1)).isLessThan(1_000_000_000);
    assertThat(open.dueNanos(2)).isEqualTo(1_166_666_666);
    assertThat(open.dueNanos(3)).isEqualTo(1_499_999_999);
  }

  @Test
  void beginNanos_inARamp_areEven() {
    Arrivals.Closed closed = new Arrivals.Closed(4, Duration.ofSeconds(2));

    assertThat(closed.beginNanos(0)).isZero();
    assertThat(closed.beginNanos(3)).isEqualTo(1_500_000_000);
    assertThat(new Arrivals.Closed(4).beginNanos(3)).isZero();
    assertThat(closed.label()).isEqualTo("closed model, 4 users after a ramp of 2.0 s");
    assertThatThrownBy(() -> new Arrivals.Closed(4, Duration.ofSeconds(-1)))
        .hasMessage("the ramp takes PT-1S, expected at least PT0S");
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

  @Test
  void localPorts_tooFew_saysHowManyThereAre() {
    LocalPorts.require(28_232, 28_232);
    assertThatThrownBy(() -> LocalPorts.require(28_233, 28_232))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "28233 calls at once to one address need as many local ports, and there are 28232;"
                + " expected a wider range");
  }

  private static Plan plan(Engines engine, Arrivals arrivals, long requests, int seconds) {
    return new Plan(
        engine, 20, arrivals, requests, Duration.ofSeconds(seconds), Duration.ofSeconds(1));
  }
}
