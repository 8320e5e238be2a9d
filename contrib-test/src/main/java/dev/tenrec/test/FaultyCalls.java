// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Some calls of one key, and the fault they meet. Made by {@link Faults#on}; immutable. */
public final class FaultyCalls {

  private final Faults faults;
  private final String key;
  private final LongPredicate which;

  FaultyCalls(Faults faults, String key, LongPredicate which) {
    this.faults = faults;
    this.key = key;
    this.which = which;
  }

  /**
   * Only the nth from now on.
   *
   * @param number 1 or more
   */
  public FaultyCalls nth(long number) {
    requirePositive("nth", number);
    return only(ordinal -> ordinal == number);
  }

  /**
   * Only the first ones from now on.
   *
   * @param count 1 or more
   */
  public FaultyCalls first(long count) {
    requirePositive("first", count);
    return only(ordinal -> ordinal <= count);
  }

  /**
   * Only a share of them, evenly spread: of 100 calls exactly so many, always the same ones.
   *
   * @param percent 1 to 100
   */
  public FaultyCalls percent(int percent) {
    if (percent < 1 || percent > 100) {
      throw new IllegalArgumentException("percent must be 1 to 100, was " + percent);
    }
    return only(ordinal -> ordinal * percent / 100 > (ordinal - 1) * percent / 100);
  }

  /**
   * Their work fails with {@code thrown}, which each of them gets.
   *
   * @throws IllegalArgumentException if it is a Throwable that is neither an Exception nor an Error
   */
  public void fail(Throwable thrown) {
    Objects.requireNonNull(thrown, "thrown");
    fail(() -> thrown);
  }

  /** Their work fails with what {@code thrown} makes, on its thread. */
  public void fail(Supplier<? extends Throwable> thrown) {
    Objects.requireNonNull(thrown, "thrown");
    add(
        call -> {
          Throwable made = Objects.requireNonNull(thrown.get(), "what a fault throws");
          if (made instanceof Error error) {
            throw error;
          }
          if (made instanceof Exception exception) {
            throw exception;
          }
          throw new IllegalArgumentException("neither an Exception nor an Error", made);
        });
  }

  /**
   * Their work begins later: in virtual time, each of them moves it on by so much; in real time, it
   * waits.
   *
   * @param by more than 0
   */
  public void delay(Duration by) {
    if (by.isNegative() || by.isZero()) {
      throw new IllegalArgumentException("delay must be more than 0, was " + by);
    }
    VirtualTime time = faults.time();
    add(
        call -> {
          if (time != null) {
            time.advance(by);
          } else {
            Lateness.sleep(by);
          }
        });
  }

  /**
   * Their work does not answer before their deadline. In virtual time the deadline comes at once.
   * The work itself does not run. A call without a time-out fails with an {@link
   * IllegalStateException}.
   */
  public void timeOut() {
    VirtualTime time = faults.time();
    add(call -> Lateness.outlast(call, time));
  }

  /**
   * Their work hangs until the test lets it go, the fault is cleared, or its thread is interrupted.
   *
   * @return what lets it go
   */
  public HeldCalls hold() {
    HeldCalls held = new HeldCalls();
    faults.add(key, new Fault(which, call -> held.meet(), held::release));
    return held;
  }

  private void add(Fault.Effect effect) {
    faults.add(key, new Fault(which, effect, () -> {}));
  }

  private FaultyCalls only(LongPredicate further) {
    return new FaultyCalls(faults, key, which.and(further));
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be 1 or more, was " + value);
    }
  }
}
