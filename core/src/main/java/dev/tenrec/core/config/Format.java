// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How values of one type are written in a source. Text is read here and nowhere else, so that what
 * a source's own decoding makes of a malformed value never matters.
 */
final class Format<T> {

  /** What begins a reference to another property. */
  private static final String PLACEHOLDER = "${";

  static final Format<Integer> COUNT =
      new Format<>("must be a whole number of at most 2147483647", Format::count, String::valueOf);
  static final Format<Boolean> FLAG =
      new Format<>("must be true, false, yes, no, on or off", Format::flag, String::valueOf);
  static final Format<Duration> MILLIS =
      new Format<>(
          "must be a whole number of milliseconds", text -> span(text, 1), span -> text(span, 1));
  static final Format<Duration> MINUTES =
      new Format<>(
          "must be a whole number of minutes",
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
    try {
      return Duration.ofMillis(Math.multiplyExact(Long.parseLong(text), unitMillis));
    } catch (NumberFormatException | ArithmeticException notOne) {
      return null;
    }
  }

  private static String text(Duration span, long unitMillis) {
    Duration unit = Duration.ofMillis(unitMillis);
    long units = span.dividedBy(unit);
    return unit.multipliedBy(units).equals(span) ? Long.toString(units) : span.toString();
  }
}
