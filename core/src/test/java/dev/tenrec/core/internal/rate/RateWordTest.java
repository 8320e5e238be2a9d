// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One word of a rate, on any clock. */
class RateWordTest {

  private static final Rate RATE = new Rate(1, 1_000, 2);

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -5_000_000_000L, 1L << 61, Long.MAX_VALUE, Long.MIN_VALUE})
  void retire_ofAWordWithAllItsPermits_endsItForGood(long now) {
    RateWord word = new RateWord(RATE, now);

    assertThat(word.isRetired(now)).isFalse();
    assertThat(word.retire(now)).isTrue();

    assertThat(word.isRetired(now)).isTrue();
    assertThat(word.isRetired(now + 1_000_000_000L)).isTrue();
    assertThat(word.take(now)).isEqualTo(RateWord.ENDED);
    assertThat(word.retire(now)).as("once more").isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -5_000_000_000L, 1L << 61, Long.MAX_VALUE, Long.MIN_VALUE})
  void retire_ofAWordWithASpentPermit_leavesItAsItIs(long now) {
    RateWord word = new RateWord(RATE, now);
    assertThat(word.take(now)).isEqualTo(RateWord.TAKEN);

    assertThat(word.retire(now)).isFalse();

    assertThat(word.isRetired(now)).isFalse();
    assertThat(word.left(now)).isEqualTo(1);
    assertThat(word.take(now)).isEqualTo(RateWord.TAKEN);
    assertThat(word.take(now)).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -5_000_000_000L, 1L << 61, Long.MAX_VALUE, Long.MIN_VALUE})
  void freeze_always_endsTheWordAndDoesNotRetireIt(long now) {
    RateWord word = new RateWord(RATE, now);
    assertThat(word.take(now)).isEqualTo(RateWord.TAKEN);

    word.freeze(now);

    assertThat(word.take(now)).isEqualTo(RateWord.ENDED);
    assertThat(word.isRetired(now)).isFalse();
    assertThat(word.retire(now)).isFalse();
    assertThat(word.successor(RATE, now).left(now)).as("one is spent").isEqualTo(1);
  }
}
