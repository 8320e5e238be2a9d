// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LatencyTest {

  private static final Offset<Double> NEAR = Offset.offset(0.01);

  @Test
  void p99ShareOf_another_isTheirRatio() {
    Result late = new SomeResult(new Arrivals.Open(10), 9, 0, 0).waited(40).lag(10).result();

    assertThat(late.lag().p99ShareOf(late.waited())).isEqualTo(0.25, NEAR);
  }

  @Test
  void p99ShareOf_nothingLate_isNone_ofNothingMeasured_isBeyondAnyBound() {
    Result none = new SomeResult(new Arrivals.Open(10), 9, 0, 0).waited(0).lag(0).result();
    Result late = new SomeResult(new Arrivals.Open(10), 9, 0, 0).waited(0).lag(1).result();

    assertThat(none.lag().p99ShareOf(none.waited())).isZero();
    assertThat(late.lag().p99ShareOf(late.waited())).isInfinite();
  }

  @Test
  void lagSaid_ofAnOpenLoad_isItsP99AndMaximum_ofAClosedOneADash() {
    assertThat(new SomeResult(new Arrivals.Open(10), 9, 0, 0).lag(2).result().lagSaid())
        .isEqualTo("2.0 / 2.0");
    assertThat(new SomeResult(new Arrivals.Closed(10), 9, 0, 0).lag(2).result().lagSaid())
        .isEqualTo("-");
  }
}
