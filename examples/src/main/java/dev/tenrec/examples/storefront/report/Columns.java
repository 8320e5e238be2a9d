// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import java.util.Locale;

/** Lays text out in columns. Not thread-safe. */
final class Columns {

  private final StringBuilder line = new StringBuilder();

  /** The first column, to the left. */
  Columns name(String text) {
    line.append(String.format(Locale.ROOT, "  %-10s", text));
    return this;
  }

  /** A column of this width, to the right. */
  Columns cell(int width, String text) {
    line.append(' ').append(" ".repeat(Math.max(0, width - text.length()))).append(text);
    return this;
  }

  Columns cell(int width, long number) {
    return cell(width, Long.toString(number));
  }

  Columns millis(int width, double millis) {
    return cell(width, String.format(Locale.ROOT, millis < 99.95 ? "%.1f" : "%.0f", millis));
  }

  /** The last column, to the left. */
  String rest(String text) {
    return line.append("  ").append(text).toString();
  }

  @Override
  public String toString() {
    return line.toString();
  }

  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }
}
