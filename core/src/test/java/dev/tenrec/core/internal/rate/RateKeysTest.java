// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Uninterruptibly;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(longs = {0, -5_000_000_000L, 1L << 61, Long.MAX_VALUE - INTERVAL, Long.MIN_VALUE})
  void take_ofANewKey_onAnyClock_takesThePlaceOfOneThatIsFullyReplenished(long start) {
    RateLimiter limiter = new RateLimiter(RATE, 1, start);
    assertThat(admitted(limiter, "a", start)).isEqualTo(2);
    assertThat(admitted(limiter, "b", start))
        .as("of the rate of those without a place")
        .isEqualTo(2);
    assertThat(limiter.take("b", start)).isEqualTo(INTERVAL);
    assertThat(admitted(limiter, "x", start)).as("b has no place, nor has x").isZero();

    long later = start + 2 * INTERVAL;
    assertThat(admitted(limiter, "c", later)).as("in the place of a").isEqualTo(2);
    assertThat(limiter.keyCount()).isEqualTo(1);
    assertThat(limiter.take("c", later + INTERVAL)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.take("c", later + INTERVAL)).isEqualTo(INTERVAL);
  }

  @Test
  void change_ofTheRate_countsForKeysWithoutAPlace() {
    RateLimiter limiter = limiter(1);
    assertThat(admitted(limiter, "a", 0)).isEqualTo(2);
    assertThat(admitted(limiter, "b", 0)).isEqualTo(2);

    limiter.change(new Rate(1, 10 * INTERVAL, 2), 1, 0);

    assertThat(limiter.take("b", 0)).isEqualTo(10 * INTERVAL);
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

  /** A key whose hash and equality cannot be asked for any more. */
  private static final class Rude {

    private boolean rude;

    @Override
    public int hashCode() {
      if (rude) {
        throw new IllegalStateException("hashCode");
      }
      return 7;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (rude) {
        throw new IllegalStateException("equals");
      }
      return this == other;
    }
  }

  @Test
  void take_whereAKeyThatMakesPlaceThrows_isNotItsBusiness_andNoPlaceIsLost() {
    RateLimiter limiter = limiter(2);
    List<Rude> rude = List.of(new Rude(), new Rude());
    rude.forEach(key -> assertThat(admitted(limiter, key, 0)).isEqualTo(2));
    rude.forEach(key -> key.rude = true);

    long later = 10 * INTERVAL;
    // the hashes are equal, so that of the two that are removed one asks the other's equals
    assertThat(admitted(limiter, "a", later)).isEqualTo(2);
    int strangers = 0;
    for (int i = 0; i < 100; i++) {
      strangers += admitted(limiter, "stranger" + i, later);
    }
    assertThat(strangers).as("they share one rate, or have the second place").isBetween(2, 4);

    rude.forEach(key -> key.rude = false);
    long atLast = 100 * INTERVAL;
    rude.forEach(key -> limiter.take(key, atLast)); // each comes back to its retired word
    long end = 1_000 * INTERVAL;
    assertThat(admitted(limiter, "x", end) + admitted(limiter, "y", end)).isEqualTo(4);
    assertThat(limiter.keyCount()).isEqualTo(2);
    assertThat(admitted(limiter, "z", end)).as("no third place").isEqualTo(2);
    assertThat(admitted(limiter, "zz", end)).as("what is shared is spent").isZero();
  }

  /** All of them collide, and what comparing does is for the test to say. */
  private record Colliding(int number, Runnable comparing) {

    static Colliding of(int number) {
      return new Colliding(number, () -> {});
    }

    @Override
    public int hashCode() {
      return 7;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      comparing.run();
      return other instanceof Colliding that && number == that.number;
    }
  }

  /** Whether it looks for its word, or brings one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void key_whoseEqualsBlocks_holdsUpNoOther(int comparison) throws Exception {
    RateLimiter limiter = limiter(10);
    assertThat(limiter.take(Colliding.of(1), 0)).isEqualTo(RateLimiter.TAKEN);
    CountDownLatch comparing = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger comparisons = new AtomicInteger();
    Colliding blocking =
        new Colliding(
            2,
            () -> {
              if (comparisons.incrementAndGet() == comparison) {
                comparing.countDown();
                Uninterruptibly.await(release);
              }
            });
    Thread asks = new Thread(() -> limiter.take(blocking, 0));
    asks.start();
    await().until(() -> comparing.getCount() == 0 || !asks.isAlive());

    assertThat(admitted(limiter, Colliding.of(3), 0)).isEqualTo(2);
    assertThat(admitted(limiter, Colliding.of(1), 0)).isEqualTo(1);
    release.countDown();
    asks.join();

    assertThat(admitted(limiter, Colliding.of(2), 0)).isEqualTo(1);
    assertThat(limiter.keyCount()).isEqualTo(3);
  }

  @Test
  void keys_thatCollide_giveUpTheirPlacesOneByOne() {
    RateLimiter limiter = limiter(5);
    for (int round = 0; round < 4; round++) {
      long now = round * 10 * INTERVAL; // all permits of the round before are there again
      for (int i = 0; i < 5; i++) {
        assertThat(admitted(limiter, Colliding.of(round * 5 + i), now)).isEqualTo(2);
      }
      assertThat(limiter.keyCount()).isEqualTo(5);
    }
    assertThat(admitted(limiter, Colliding.of(-1), 40 * INTERVAL - 1)).isEqualTo(2);
    assertThat(limiter.keyCount()).isEqualTo(5);
  }

  @Test
  void rate_thatChanges_keepsThePermitsThatKeysHaveSpent() {
    RateLimiter limiter = limiter(5);
    assertThat(admitted(limiter, Colliding.of(1), 0)).isEqualTo(2);
    assertThat(limiter.take(Colliding.of(2), 0)).isEqualTo(RateLimiter.TAKEN);

    limiter.change(new Rate(1, INTERVAL, 3), 5, 0);

    assertThat(admitted(limiter, Colliding.of(1), 0)).isLessThan(3);
    assertThat(admitted(limiter, Colliding.of(1), 10 * INTERVAL)).isEqualTo(3);
    assertThat(limiter.keyCount()).isEqualTo(2);
  }

  @Test
  void keys_thatCollide_giveUpThePlaceOfTheOneThatIsReplenished() {
    RateLimiter limiter = limiter(3);
    for (int i = 0; i < 3; i++) { // the newest is looked at first
      assertThat(limiter.take(Colliding.of(i), i == 1 ? 0 : INTERVAL)).isZero();
      assertThat(limiter.take(Colliding.of(i), i == 1 ? 0 : INTERVAL)).isZero();
    }

    long now = 2 * INTERVAL;
    assertThat(admitted(limiter, Colliding.of(9), now)).as("in the place of 1").isEqualTo(2);

    assertThat(admitted(limiter, Colliding.of(0), now)).as("one is spent still").isEqualTo(1);
    assertThat(admitted(limiter, Colliding.of(2), now)).as("one is spent still").isEqualTo(1);
    assertThat(limiter.keyCount()).isEqualTo(3);
  }

  /** While it is compared with the one that is there, the same key is brought by another call. */
  @Test
  void key_overtakenByItsLike_goesByTheSameRate() {
    RateLimiter limiter = limiter(3);
    assertThat(limiter.take(Colliding.of(1), 0)).isEqualTo(RateLimiter.TAKEN);
    AtomicInteger comparisons = new AtomicInteger();
    Colliding overtaken =
        new Colliding(
            2,
            () -> {
              if (comparisons.incrementAndGet() == 1) {
                assertThat(limiter.take(Colliding.of(2), 0)).isEqualTo(RateLimiter.TAKEN);
              }
            });

    assertThat(limiter.take(overtaken, 0)).isEqualTo(RateLimiter.TAKEN);

    assertThat(comparisons).as("with 1, then with the new 2").hasValue(2);
    assertThat(limiter.take(Colliding.of(2), 0)).as("both are spent").isEqualTo(INTERVAL);
    assertThat(limiter.keyCount()).isEqualTo(2);
    assertThat(admitted(limiter, "third", 0)).isEqualTo(2);
    assertThat(limiter.keyCount()).as("no place was lost").isEqualTo(3);
  }

  /** It has a place already that it cannot fill: the key that came meanwhile cannot be compared. */
  @Test
  void key_whoseEqualsThrowsOnceItHasAPlace_givesThatBack() {
    RateLimiter limiter = limiter(3);
    assertThat(limiter.take(Colliding.of(1), 0)).isEqualTo(RateLimiter.TAKEN);
    AtomicInteger comparisons = new AtomicInteger();
    Colliding throwing =
        new Colliding(
            2,
            () -> {
              if (comparisons.incrementAndGet() == 2) {
                throw new IllegalStateException("equals");
              }
              assertThat(limiter.take(Colliding.of(3), 0)).isEqualTo(RateLimiter.TAKEN);
            });

    assertThatThrownBy(() -> limiter.take(throwing, 0)).hasMessage("equals");

    assertThat(limiter.keyCount()).isEqualTo(2);
    assertThat(admitted(limiter, "third", 0)).isEqualTo(2);
    assertThat(limiter.keyCount()).as("no place was lost").isEqualTo(3);
  }

  /** The map goes through small numbers in their order. */
  @Test
  void take_looksAtSoManyKeysAndNoMore() {
    RateLimiter limiter = limiter(RateKeys.LOOKS + 1);
    for (int i = 0; i < RateKeys.LOOKS; i++) {
      assertThat(limiter.take(i, INTERVAL)).isEqualTo(RateLimiter.TAKEN);
    }
    assertThat(limiter.take(RateKeys.LOOKS, 0)).isEqualTo(RateLimiter.TAKEN);

    assertThat(admitted(limiter, "new", INTERVAL + 1))
        .as("one without a place, and two of its own after the second look")
        .isEqualTo(3);
  }
}
