// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How values of one type are written in a source. Text is read here and nowhere else, so that what
 * a source's own decoding makes of a malformed value never matters.
 */
final class Format<T> {

  /** What begins a reference to another property. */
  private static final String PLACEHOLDER = "${";

  private static final Pattern AMOUNT =
      Pattern.compile("([+-]?\\d+)(ns|us|ms|s|m|h|d|)", Pattern.CASE_INSENSITIVE);
  private static final Map<String, Duration> UNITS =
      Map.of(
          "ns", Duration.ofNanos(1),
          "us", Duration.of(1, ChronoUnit.MICROS),
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  static final Format<Integer> COUNT =
      new Format<>("must be a whole number of at most 2147483647", Format::count, String::valueOf);
  static final Format<Boolean> FLAG =
      new Format<>("must be true, false, yes, no, on or off", Format::flag, String::valueOf);
  static final Format<Duration> MILLIS =
      new Format<>(
          "must be a whole number of milliseconds, or a time as 250ms, 2s, 1m or PT0.25S",
          text -> span(text, 1),
          span -> text(span, 1));
  static final Format<Duration> MINUTES =
      new Format<>(
          "must be a whole number of minutes, or a time as 90s, 2m, 1h or PT2M",
          text -> span(text, 60_000),
          span -> text(span, 60_000));
  static final Format<IsolationStrategy> STRATEGY =
      new Format<>(
          "must be THREAD, SEMAPHORE or VIRTUAL_THREAD", IsolationStrategy::find, Enum::name);

  /** A placeholder that nothing replaced would make a key of its own. */
  static final Format<String> KEY =
      new Format<>("must be a key", text -> text.contains(PLACEHOLDER) ? null : text, text -> text);

  private final String words;
  private final Function<String, @Nullable T> reader;
  private final Function<T, String> writer;

  private Format(String words, Function<String, @Nullable T> reader, Function<T, String> writer) {
    this.words = words;
    this.reader = reader;
    this.writer = writer;
  }

  /**
   * The value written as {@code text}, blanks around it not counting; null if it is not written in
   * this format.
   */
  @Nullable T read(String text) {
    return reader.apply(text.trim());
  }

  /**
   * The text {@link #read} would make {@code value} of; a duration that is no whole number of the
   * unit as in ISO 8601.
   */
  String write(T value) {
    return writer.apply(value);
  }

  /** What a text is not that this format does not read, to follow "key = text: ". */
  String words(String text) {
    return text.contains(PLACEHOLDER)
        ? words
            + ", and its ${..} could not be replaced: there is no such property, it refers to"
            + " itself, or it takes too many others"
        : words;
  }

  private static @Nullable Integer count(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException notOne) {
      return null;
    }
  }

  private static @Nullable Boolean flag(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on" -> Boolean.TRUE;
      case "false", "no", "off" -> Boolean.FALSE;
      default -> null;
    };
  }

  private static @Nullable Duration span(String text, long unitMillis) {
    Matcher amount = AMOUNT.matcher(text);
    try {
      if (!amount.matches()) {
        return Duration.parse(text);
      }
      long number = Long.parseLong(amount.group(1));
      Duration unit = UNITS.get(amount.group(2).toLowerCase(Locale.ROOT));
      return (unit == null ? Duration.ofMillis(unitMillis) : unit).multipliedBy(number);
    } catch (NumberFormatException | ArithmeticException | DateTimeParseException notOne) {
      return null;
    }
  }

  private static String text(Duration span, long unitMillis) {
    try {
      long millis =
          span.toMillis(); // by Duration's own division it would be a BigDecimal each time
      return millis % unitMillis == 0 && Duration.ofMillis(millis).equals(span)
          ? Long.toString(millis / unitMillis)
          : span.toString();
    } catch (ArithmeticException tooMany) { // what is refused is written as well
      return span.toString();
    }
  }
}
