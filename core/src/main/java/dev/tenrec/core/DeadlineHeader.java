// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a deadline is written into a header of a remote call: as the time that is left, never as a
 * time of day, for clocks differ. Immutable.
 *
 * @see Deadline
 */
public final class DeadlineHeader {

  private static final Pattern MILLIS_FORM = Pattern.compile("\\d{1,15}");

  /** By gRPC's protocol at most eight digits and a unit. */
  private static final Pattern GRPC_FORM = Pattern.compile("(\\d{1,8})([HMSmun])");

  private static final long GRPC_MOST = 99_999_999;

  /** Of a text that is not what it should be, so much is shown. */
  private static final int SHOWN = 40;

  /** Milliseconds left, in {@code X-Millis-Left}. */
  public static final DeadlineHeader MILLIS = millis("X-Millis-Left");

  /** In {@code grpc-timeout}, by gRPC's protocol over HTTP/2: a number and a unit. */
  public static final DeadlineHeader GRPC = new DeadlineHeader("grpc-timeout", true);

  private final String name;
  private final boolean grpc;

  private DeadlineHeader(String name, boolean grpc) {
    this.name = name;
    this.grpc = grpc;
  }

  /**
   * Milliseconds left, in a header of this name.
   *
   * @param name of the header; not blank
   */
  public static DeadlineHeader millis(String name) {
    if (Objects.requireNonNull(name, "name").isBlank()) {
      throw new IllegalArgumentException("The name of a deadline's header must not be blank");
    }
    return new DeadlineHeader(name, false);
  }

  /**
   * That of a name: {@link #GRPC} for {@code grpc-timeout}, milliseconds left for all others.
   *
   * @param name of the header; not blank
   */
  public static DeadlineHeader named(String name) {
    return GRPC.name.equalsIgnoreCase(name) ? GRPC : millis(name);
  }

  /** The name of the header. */
  public String name() {
    return name;
  }

  /**
   * Writes the time that is left, in the header's unit and rounded down: what is read from it is
   * never later.
   *
   * @param left 0 or more; {@link Deadline#remaining()} is
   */
  public String write(Duration left) {
    if (left.isNegative()) {
      throw new IllegalArgumentException(
          name + ": the time left must be 0 or more, but is " + left);
    }
    Duration most = left.compareTo(Deadline.LONGEST) < 0 ? left : Deadline.LONGEST;
    return grpc ? writeGrpc(most.toNanos()) : Long.toString(most.toMillis());
  }

  /** In the finest unit that has room for it. */
  private static String writeGrpc(long nanos) {
    if (nanos <= GRPC_MOST) {
      return nanos + "n";
    }
    long micros = nanos / 1_000;
    if (micros <= GRPC_MOST) {
      return micros + "u";
    }
    long millis = micros / 1_000;
    if (millis <= GRPC_MOST) {
      return millis + "m";
    }
    long seconds = millis / 1_000;
    return seconds <= GRPC_MOST ? seconds + "S" : seconds / 60 + "M";
  }

  /**
   * Reads the time that is left. More than ten years are ten years.
   *
   * @param value the header's value; white space around it does not matter
   * @throws IllegalArgumentException if it is not of the header's form, for milliseconds at most 15
   *     digits: the message says what was expected
   * @throws NullPointerException if {@code value} is null: without a header there is no deadline to
   *     open
   */
  public Duration read(String value) {
    String text = Objects.requireNonNull(value, name).strip();
    Duration left = grpc ? readGrpc(text) : readMillis(text);
    return left.compareTo(Deadline.LONGEST) < 0 ? left : Deadline.LONGEST;
  }

  private Duration readMillis(String text) {
    if (!MILLIS_FORM.matcher(text).matches()) {
      throw unreadable(text, "the milliseconds that are left, 0 or more, as digits");
    }
    return Duration.ofMillis(Long.parseLong(text));
  }

  private Duration readGrpc(String text) {
    Matcher parts = GRPC_FORM.matcher(text);
    if (!parts.matches()) {
      throw unreadable(text, "at most 8 digits and one of the units H, M, S, m, u and n");
    }
    long count = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "H" -> Duration.ofHours(count);
      case "M" -> Duration.ofMinutes(count);
      case "S" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMillis(count);
      case "u" -> Duration.ofNanos(count * 1_000);
      default -> Duration.ofNanos(count);
    };
  }

  private IllegalArgumentException unreadable(String text, String expected) {
    String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    return new IllegalArgumentException(
        name + ": '" + shown + "' cannot be read; expected are " + expected);
  }

  @Override
  public String toString() {
    return name;
  }
}
