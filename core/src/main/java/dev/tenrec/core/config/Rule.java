// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * What a single value has to fulfil.
 *
 * @param words the rule in words, to follow "key = value: "
 * @param holds whether a value fulfils it
 */
record Rule<T>(String words, Predicate<T> holds) {

  /**
   * Far beyond any sensible setting, and near enough that deadlines reckoned from it do not
   * overflow.
   */
  private static final Duration LONGEST = Duration.ofDays(365);

  static <T> Rule<T> none() {
    return new Rule<>("may be anything", value -> true);
  }

  static Rule<Integer> atLeast(int least) {
    return new Rule<>("must be at least " + least, value -> value >= least);
  }

  static Rule<Integer> between(int least, int most) {
    return new Rule<>(
        "must be from " + least + " to " + most, value -> value >= least && value <= most);
  }

  /** More than nothing; code may give less than a millisecond. */
  static Rule<Duration> positiveTime() {
    return new Rule<>(
        "must be longer than 0 and at most 365 days",
        value -> !value.isZero() && !value.isNegative() && value.compareTo(LONGEST) <= 0);
  }

  static Rule<Duration> atLeastOneMilli() {
    return new Rule<>(
        "must be at least 1 ms and at most 365 days",
        value -> value.compareTo(Duration.ofMillis(1)) >= 0 && value.compareTo(LONGEST) <= 0);
  }

  static Rule<Duration> zeroOrMore() {
    return new Rule<>(
        "must be from 0 to 365 days",
        value -> !value.isNegative() && value.compareTo(LONGEST) <= 0);
  }

  /** Virtual threads are no preview any more from here on. */
  private static final int VIRTUAL_THREADS_SINCE = 21;

  /** What a JVM of this feature version can do. */
  static Rule<IsolationStrategy> strategyOn(int javaVersion) {
    return new Rule<>(
        "must not be "
            + IsolationStrategy.VIRTUAL_THREAD
            + " before Java "
            + VIRTUAL_THREADS_SINCE
            + ", and this is Java "
            + javaVersion,
        value -> value != IsolationStrategy.VIRTUAL_THREAD || javaVersion >= VIRTUAL_THREADS_SINCE);
  }

  /** What can name a pool; else the change to it would be found impossible when it is applied. */
  static Rule<String> key() {
    return new Rule<>(
        "must be a key: not blank, not '" + Property.GLOBAL + "', which stands for all keys",
        value -> !value.isBlank() && !value.equals(Property.GLOBAL));
  }
}
