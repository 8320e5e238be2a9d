// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code 300ms}, {@code 2s}, {@code 1m}, {@code PT0.3S}, and {@code 300} as milliseconds. */
final class DurationText {

  static final String RULE = "a time as 300ms, 2s, 1m, PT0.3S or 300 (milliseconds), or none";

  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})(ms|s|m|h)?");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);

  private DurationText() {}

  /** The time in whole milliseconds; null if it cannot be read, or is not a positive number. */
  static @Nullable Long millis(String text) {
    Matcher amount = AMOUNT.matcher(text);
    long millis;
    if (amount.matches()) {
      String unit = amount.group(2) == null ? "ms" : amount.group(2);
      millis = Long.parseLong(amount.group(1)) * MILLIS.getOrDefault(unit, 1L);
    } else {
      try {
        millis = Duration.parse(text).toMillis();
      } catch (DateTimeParseException | ArithmeticException e) {
        return null;
      }
    }
    return millis > 0 ? millis : null;
  }
}
