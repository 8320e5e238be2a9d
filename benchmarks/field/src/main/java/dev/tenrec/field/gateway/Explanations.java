// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.gateway.proxy.Refusal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** How the answers of one load explained that they were refusals. Thread-safe. */
final class Explanations {

  private static final String HEADER = Refusal.HEADER + ":";

  /** Circuits that open again and again each have their own numbers; more are counted as one. */
  private static final int MOST_KINDS = 12;

  private static final String OTHERS = "other numbers";

  /**
   * All that said the same, but for how many there were.
   *
   * @param refusal the first of them
   * @param count how many
   * @param leastInUse the fewest calls any of them found in flight
   * @param mostInUse the most
   */
  record Kind(Refusal refusal, long count, int leastInUse, int mostInUse) {

    private Kind and(Kind other) {
      return new Kind(
          refusal,
          count + other.count,
          Math.min(leastInUse, other.leastInUse),
          Math.max(mostInUse, other.mostInUse));
    }
  }

  /** Changed by whichever thread reads an answer. */
  private final Map<Refusal, Kind> kinds = new ConcurrentHashMap<>();

  /** Takes a header, and notes it if it is an explanation. */
  void header(String line) {
    if (line.regionMatches(true, 0, HEADER, 0, HEADER.length())) {
      Refusal refusal = Refusal.parse(line.substring(HEADER.length()).strip());
      if (refusal != null) {
        note(refusal);
      }
    }
  }

  private void note(Refusal refusal) {
    Refusal kind = kind(refusal, refusal.why());
    if (kinds.size() >= MOST_KINDS && !kinds.containsKey(kind) && !refusal.why().isEmpty()) {
      kind = kind(refusal, OTHERS);
    }
    Kind one = new Kind(kind, 1, refusal.inUse(), refusal.inUse());
    Kind unused = kinds.merge(kind, one, Kind::and);
  }

  private static Refusal kind(Refusal refusal, String why) {
    return new Refusal(refusal.command(), refusal.reason(), refusal.limit(), 0, why);
  }

  /** All there are, the commonest first. */
  List<Kind> kinds() {
    return kinds.values().stream()
        .sorted((one, other) -> Long.compare(other.count(), one.count()))
        .toList();
  }

  /** How many answers gave this reason, or any if it is null. */
  long count(@Nullable String reason) {
    return kinds.values().stream()
        .filter(kind -> reason == null || kind.refusal().reason().equals(reason))
        .mapToLong(Kind::count)
        .sum();
  }
}
