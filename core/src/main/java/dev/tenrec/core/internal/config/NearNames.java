// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The names most like a mistyped one. */
public final class NearNames {

  private static final int SHOWN = 3;

  /** No name of ours is nearly as long; the rest of an enormous one is not worth a look. */
  private static final int LONGEST = 256;

  private NearNames() {}

  /** The three nearest of {@code names}, nearest first. */
  public static List<String> of(String mistyped, Collection<String> names) {
    return names.stream()
        .sorted(
            Comparator.comparingInt((String name) -> distance(mistyped, name))
                .thenComparing(Comparator.naturalOrder()))
        .limit(SHOWN)
        .toList();
  }

  /** How many edits of one character make {@code name} of the other, case not counting. */
  public static int apart(String mistyped, String name) {
    return mistyped.length() > LONGEST
        ? LONGEST
        : edits(mistyped.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
  }

  /**
   * Nearest over all tails: a full key has an instance's name, dots and all, before the property's.
   */
  private static int distance(String mistyped, String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    String tail =
        mistyped.substring(Math.max(0, mistyped.length() - LONGEST)).toLowerCase(Locale.ROOT);
    int least = edits(tail, wanted);
    for (int dot = tail.indexOf('.'); dot >= 0; dot = tail.indexOf('.')) {
      tail = tail.substring(dot + 1);
      least = Math.min(least, edits(tail, wanted));
    }
    return least;
  }

  /** Levenshtein's distance, by rows (Wagner and Fischer, 1974). */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int substitute = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
