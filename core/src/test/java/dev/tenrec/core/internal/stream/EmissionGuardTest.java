// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EmissionGuardTest {

  private final EmissionGuard guard = new EmissionGuard();

  @Test
  void threadThatEnteredTwice_isThereUntilItHasLeftTwice() {
    guard.enter();
    guard.enter();

    assertThat(guard.leave()).isFalse();
    assertThat(guard.isTaken()).isTrue();
    assertThat(guard.depthHere()).isEqualTo(1);

    assertThat(guard.leave()).isTrue();
    assertThat(guard.isTaken()).isFalse();
    assertThat(guard.depthHere()).isZero();
  }

  @Test
  void restore_ofAThreadThatWasThereBefore_leavesItThere() {
    guard.enter();
    guard.enter();

    guard.restore(1);

    assertThat(guard.isTaken()).isTrue();
    assertThat(guard.depthHere()).isEqualTo(1);
  }

  @Test
  void whatIsDeferred_isOwedUntilItIsTaken_andNotTakenWhileAThreadIsThere() {
    Runnable what = () -> {};
    assertThat(guard.owes()).isFalse();

    guard.enter();
    guard.defer(what);
    assertThat(guard.owes()).isTrue();
    assertThat(guard.takeDeferred()).isNull();

    assertThat(guard.leave()).isTrue();
    assertThat(guard.takeDeferred()).isSameAs(what);
    assertThat(guard.owes()).isFalse();
  }
}
