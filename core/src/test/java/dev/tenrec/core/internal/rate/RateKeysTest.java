// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A rate for each key, and not more keys than allowed. */
class RateKeysTest {

  private static final long INTERVAL = 1_000;
  private static final Rate RATE = new Rate(1, INTERVAL, 2);

  private static RateLimiter limiter(int maxKeys) {
    return new RateLimiter(RATE, maxKeys, 0);
  }

  private static int admitted(RateLimiter limiter, @Nullable Object key, long now) {
    int admitted = 0;
    while (limiter.take(key, now) == RateLimiter.TAKEN) {
      admitted++;
    }
    return admitted;
  }

  @Test
  void take_ofTwoKeys_doesNotTouchTheOther() {
    RateLimiter limiter = limiter(10);

    assertThat(admitted(limiter, "a", 0)).isEqualTo(2);
    assertThat(admitted(limiter, "b", 0)).isEqualTo(2);
    assertThat(admitted(limiter, null, 0)).as("null is a key").isEqualTo(2);
    assertThat(limiter.take("a", 0)).isEqualTo(INTERVAL);
    assertThat(limiter.keyCount()).isEqualTo(3);
    assertThat(limiter.left(0)).as("of calls without a key").isEqualTo(2);
  }

  @Test
  void take_beyondTheBound_sharesOneRate() {
    RateLimiter limiter = limiter(2);
    assertThat(admitted(limiter, "a", 0) + admitted(limiter, "b", 0)).isEqualTo(4);

    int strangers = 0;
    for (int i = 0; i < 1_000; i++) {
      strangers += admitted(limiter, "stranger" + i, 0);
    }

    assertThat(strangers).as("a thousand keys have what one has").isEqualTo(2);
    assertThat(limiter.keyCount()).isEqualTo(2);
  }

  @Test
  void take_afterCyclingThroughKeys_bringsNothing() {
    RateLimiter limiter = limiter(1);
    assertThat(admitted(limiter, "a", 0)).isEqualTo(2);

    // a nanosecond before all permits of a are there again, it keeps its place
    assertThat(limiter.take("b", 2 * INTERVAL - 1)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.keyCount()).isOne();
    assertThat(admitted(limiter, "a", 2 * INTERVAL - 1)).isEqualTo(1);
  }

  @Test
  void take_ofANewKey_takesThePlaceOfOneThatIsFullyReplenished() {
    RateLimiter limiter = limiter(1);
    assertThat(admitted(limiter, "a", 0)).isEqualTo(2);
    long later = 2 * INTERVAL;

    assertThat(admitted(limiter, "b", later)).isEqualTo(2);
    assertThat(limiter.keyCount()).isOne();

    assertThat(admitted(limiter, "c", later)).as("of those without a place").isEqualTo(2);
    assertThat(admitted(limiter, "a", later)).as("they are spent").isZero();
    assertThat(limiter.take("b", later)).isEqualTo(INTERVAL);
  }

  @Test
  void take_withManyBusyKeys_findsTheFreeOnesInTheEnd() {
    int keys = 10 * RateKeys.LOOKS;
    RateLimiter limiter = limiter(keys);
    for (int i = 0; i < keys; i++) {
      assertThat(limiter.take(i, i == keys / 2 ? 0 : INTERVAL)).isEqualTo(RateLimiter.TAKEN);
    }
    long now = INTERVAL + 1; // one of them is replenished

    int admitted = 0;
    for (int i = 0; i < 20; i++) { // the hand goes round all keys, a part of them at each call
      admitted += limiter.take("new", now) == RateLimiter.TAKEN ? 1 : 0;
    }

    assertThat(admitted).as("two among those without a place, then two of its own").isEqualTo(4);
    assertThat(limiter.keyCount()).isEqualTo(keys);
  }

  @Test
  void change_ofTheRate_countsForEveryKey() {
    RateLimiter limiter = limiter(10);
    assertThat(admitted(limiter, "a", 0) + admitted(limiter, "b", 0)).isEqualTo(4);

    limiter.change(new Rate(1, 10, 5), 10, 0);

    assertThat(admitted(limiter, "a", 0)).as("two of five are spent").isEqualTo(3);
    assertThat(admitted(limiter, "b", 0)).isEqualTo(3);
    assertThat(admitted(limiter, "c", 0)).isEqualTo(5);
  }

  @Test
  void change_toFewerKeys_letsGoOfThoseThatAreReplenished() {
    RateLimiter limiter = limiter(10);
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.take("key" + i, 0)).isEqualTo(RateLimiter.TAKEN);
    }

    limiter.change(RATE, 3, INTERVAL);
    for (int i = 0; i < 10; i++) {
      long unused = limiter.take("new" + i, 2 * INTERVAL);
    }

    assertThat(limiter.keyCount()).isEqualTo(3);
  }

  /** Its equals cannot be asked. */
  private static final class Bad {

    @Override
    public int hashCode() {
      throw new IllegalStateException("no hash");
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  @Test
  void take_ofAKeyThatThrows_throwsThat_andTakesNoPlace() {
    RateLimiter limiter = limiter(1);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> limiter.take(new Bad(), 0)).hasMessage("no hash");
    }

    assertThat(admitted(limiter, "a", 0)).isEqualTo(2);
    assertThat(limiter.keyCount()).isOne();
  }
}
