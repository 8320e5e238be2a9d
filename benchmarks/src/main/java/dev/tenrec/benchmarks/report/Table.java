// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** One Markdown table of all measurements, each beside its floor and its peers. */
final class Table {

  private static final List<String> PEERS =
      List.of("hystrix", "resilience4j", "resilience4jStackless", "failsafe", "sentinel");

  /** What ends the names of methods that are to be compared with each other. */
  private static final List<String> FORMS = List.of("Write", "Read", "Thrown", "Pipelined");

  private static final String HEAD =
      "| benchmark | threads | ns per call | spread of forks | B per call | x floor "
          + "| x Hystrix | x Resilience4j | x Resilience4j, stackless | x Failsafe | x Sentinel |\n"
          + "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";

  private final Results results;

  Table(Results results) {
    this.results = results;
  }

  /** In Markdown. */
  String markdown() {
    return HEAD
        + results.all().stream().filter(this::belongs).map(this::row).collect(Collectors.joining());
  }

  /** A footprint has bytes alone; others without a time ran at another distance. */
  private boolean belongs(Measurement one) {
    return one.hasNanos() || one.type().equals(Job.FOOTPRINT);
  }

  private String row(Measurement one) {
    String name = one.label().substring(0, one.label().lastIndexOf('@'));
    String peers =
        PEERS.stream()
            .map(peer -> ratio(one, beside(one, peer)))
            .collect(Collectors.joining(" | "));
    return "| "
        + String.join(
            " | ",
            name,
            String.valueOf(one.threads()),
            one.hasNanos() ? number(one.nanos()) : "",
            spread(one),
            one.hasBytes() ? number(Math.abs(one.bytes()) < 0.05 ? 0 : one.bytes()) : "",
            ratio(one, floor(one)),
            peers)
        + " |\n";
  }

  private static String spread(Measurement one) {
    int forks = one.forkNanos().size();
    if (forks < 2) {
      return forks == 1 ? "1 fork" : "";
    }
    return String.format(Locale.ROOT, "%.0f %% of %d", one.spread() * 100, forks);
  }

  /** What the machine allows for the same: by name, and one word of permits only for one caller. */
  Optional<Measurement> floor(Measurement one) {
    if (one.threads() > 1) {
      Optional<Measurement> withoutPermit = results.beside(one, "floorNoPermit");
      if (withoutPermit.isPresent()) {
        return withoutPermit;
      }
    }
    return beside(one, "floor")
        .or(() -> results.beside(one, "bareSubmitGetTimed"))
        .or(() -> results.beside(one, "bareVirtualThread"));
  }

  /** The same form of another method if there is one, else its plain form. */
  private Optional<Measurement> beside(Measurement one, String method) {
    String form = FORMS.stream().filter(one.method()::endsWith).findAny().orElse("");
    return results.beside(one, method + form).or(() -> results.beside(one, method));
  }

  private static String ratio(Measurement one, Optional<Measurement> other) {
    return other
        .filter(beside -> beside.hasNanos() && one.hasNanos())
        .map(beside -> String.format(Locale.ROOT, "%.2f", one.nanos() / beside.nanos()))
        .orElse("");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%,.1f" : "%,.0f", value);
  }
}
