// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.Property;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * A rule between properties. It names every property it looks at: when it fails all of these go
 * back together, so that what they go back to fulfils it.
 *
 * @param words the rule in words
 * @param properties all it looks at
 * @param holds whether values fulfil it
 */
record CrossRule(String words, List<Property<?>> properties, Predicate<Values> holds) {

  static CrossRule wholeBuckets(Property<Duration> window, Property<Integer> buckets) {
    return new CrossRule(
        window.name() + " must divide into " + buckets.name() + " buckets of whole milliseconds",
        List.of(window, buckets),
        values -> values.nanos(window) % (values.get(buckets) * 1_000_000L) == 0);
  }

  static CrossRule notLonger(Property<Duration> part, Property<Duration> whole) {
    return new CrossRule(
        part.name() + " must not be longer than " + whole.name(),
        List.of(part, whole),
        values -> values.nanos(part) <= values.nanos(whole));
  }

  static CrossRule notLessWhen(
      Property<Boolean> condition, Property<Integer> larger, Property<Integer> smaller) {
    return new CrossRule(
        larger.name()
            + " must not be less than "
            + smaller.name()
            + " when "
            + condition.name()
            + " is true",
        List.of(larger, smaller, condition),
        values -> !values.get(condition) || values.get(larger) >= values.get(smaller));
  }
}
