// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.load.Result;
import dev.tenrec.field.thrift.process.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one surge came to.
 *
 * @param setup who took part
 * @param form how large it was
 * @param warmUp the calls before it
 * @param windows the calls of each window
 * @param samples what the provider reported, with times since the load began
 * @param counts of consumers (c.), their commands and the provider (p.), when all was quiet
 * @param quietAfterSeconds from the end of the load until nobody had anything left to do; less than
 *     0 if that did not come, or was not waited for
 * @param remark why that is so; empty if it came
 */
record SurgeRun(
    Setup setup,
    Form form,
    Result warmUp,
    List<Window> windows,
    List<Sample> samples,
    Map<String, Long> counts,
    double quietAfterSeconds,
    String remark) {

  static final String PROVIDER_DIED = "the provider died";
  static final String STOPPED = "stopped";
  static final String NEVER_QUIET = "not quiet in time";

  Total total(Phase phase) {
    return Total.of(
        windows.stream().filter(window -> window.phase() == phase).map(Window::result).toList());
  }

  /** With the calls of the warm-up. */
  Total total() {
    List<Result> all = new ArrayList<>(windows.stream().map(Window::result).toList());
    all.add(warmUp);
    return Total.of(all);
  }

  long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  /** Calls the provider did although nobody was there any more to have the answer. */
  long doneForNobody() {
    return count("p.done") - count("c.answered");
  }

  /**
   * What the last calls of the surge wait if none is answered in time: until their attempts have
   * run out, behind all that came before them to their consumer's threads; no longer than the
   * driver waits.
   */
  double lastWaitMillis() {
    double heldMillis = setup.attempts() * (double) form.callMillis();
    double surgeMillis = form.surgeWindows() * (double) form.windowMillis();
    double calls = total(Phase.SURGE).due() / (double) setup.consumers();
    double lastEndsMillis = calls / setup.threads() * heldMillis;
    return Math.min(form.callerMillis(), Math.max(heldMillis, lastEndsMillis - surgeMillis));
  }

  /**
   * From the end of the surge to the first of two healthy windows, one after the other; empty if
   * there are none.
   */
  OptionalDouble recoveredAfterSeconds() {
    List<Window> after = windows.stream().filter(window -> window.phase() == Phase.AFTER).toList();
    for (int i = 0; i + 1 < after.size(); i++) {
      if (after.get(i).isHealthy(form.callMillis())
          && after.get(i + 1).isHealthy(form.callMillis())) {
        return OptionalDouble.of(i * form.windowSeconds());
      }
    }
    return OptionalDouble.empty();
  }

  /** Whether a window of the surge, or after it, was not healthy: without one nothing collapsed. */
  boolean hasCollapsed() {
    return windows.stream()
        .anyMatch(window -> window.phase() != Phase.CALM && !window.isHealthy(form.callMillis()));
  }

  /** For the table: after how long it had recovered, or why there is no such time. */
  String recoveredSaid() {
    OptionalDouble recovered = recoveredAfterSeconds();
    if (!hasCollapsed()) {
      return "nothing collapsed";
    }
    if (recovered.isPresent()) {
      return String.format(Locale.ROOT, "%.1f", recovered.getAsDouble());
    }
    long after = windows.stream().filter(window -> window.phase() == Phase.AFTER).count();
    return after < 2
        ? "too short to say"
        : String.format(Locale.ROOT, "not within %.1f", after * form.windowSeconds());
  }

  /** Cores in use by the provider in this phase, in per cent; more than 100 if it is several. */
  double cpuPercent(Phase phase) {
    return percent(phase, "cpuMillis");
  }

  /** Time the provider's collector took, in per cent of the phase. */
  double gcPercent(Phase phase) {
    return percent(phase, "gcMillis");
  }

  private double percent(Phase phase, String gauge) {
    List<Sample> of = samples(phase);
    if (of.size() < 2) {
      return 0;
    }
    Sample first = of.get(0);
    Sample last = of.get(of.size() - 1);
    return (last.value(gauge) - first.value(gauge)) * 1e8 / (last.nanos() - first.nanos());
  }

  /** The most calls that waited in the provider for a worker. */
  long mostQueued() {
    return samples.stream().mapToLong(sample -> sample.value("queued")).max().orElse(0);
  }

  private List<Sample> samples(Phase phase) {
    List<Window> of = windows.stream().filter(window -> window.phase() == phase).toList();
    if (of.isEmpty()) {
      return List.of();
    }
    long begin = form.beginNanos(of.get(0).number());
    long end = form.beginNanos(of.get(of.size() - 1).number() + 1);
    return samples.stream()
        .filter(sample -> sample.nanos() >= begin && sample.nanos() < end)
        .toList();
  }
}
