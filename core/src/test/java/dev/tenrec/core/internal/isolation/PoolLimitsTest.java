// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolLimitsTest {

  @Test
  void limits_atTheirLeast_areTaken() {
    PoolLimits least = new PoolLimits(0, 1, 0, 0);
    assertThat(least.permits()).isOne();
  }

  @Test
  void maximum_belowCore_isCore() {
    assertThat(new PoolLimits(3, 2, 4, 0).maximum()).isEqualTo(3);
    assertThat(new PoolLimits(3, 5, 4, 0).permits()).isEqualTo(9);
    assertThat(new PoolLimits(1, 2, Integer.MAX_VALUE, 0).permits()).isEqualTo(Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1,  0,  0, 'core threads must be 0 or more, was -1'",
    " 0, 0,  0,  0, 'maximum threads must be 1 or more, was 0'",
    " 1, 1, -1,  0, 'queue must be 0 or more tasks, was -1'",
    " 1, 1,  0, -1, 'keep-alive must be 0 or more nanoseconds, was -1'"
  })
  void limits_belowTheirLeast_areRefused(
      int core, int maximum, int queue, long keepAlive, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolLimits(core, maximum, queue, keepAlive))
        .withMessage(message);
  }
}
