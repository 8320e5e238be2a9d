// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.provider.service.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where the best pool lies, what the small one protects, and what two pools do: in sentences. */
final class Findings {

  private final Runs runs;
  private final List<String> lines = new ArrayList<>();

  private Findings(Runs runs) {
    this.runs = runs;
  }

  /** As far as there are figures for them. */
  static List<String> of(Runs runs) {
    Findings findings = new Findings(runs);
    for (Method method : Method.values()) {
      findings.best(method);
    }
    for (Method method : Method.values()) {
      findings.protection(method);
    }
    findings.refusal();
    findings.twoPools();
    return findings.lines;
  }

  private void best(Method method) {
    Optional<Measured> best = runs.best(method);
    if (best.isEmpty()) {
      return;
    }
    StringBuilder line =
        new StringBuilder(method.key() + ": of the pools swept, most answers with ");
    line.append(best.get().point().shared());
    line.append(String.format(Locale.ROOT, ", %.0f/s", best.get().perSecond(method)));
    for (PoolSetting other : List.of(Form.SMALL, Form.CHOSEN, Form.DEFAULT)) {
      runs.alone(method, other)
          .ifPresent(
              one ->
                  line.append(
                      String.format(
                          Locale.ROOT,
                          "; %s: %.2f of it",
                          other,
                          one.perSecond(method) / best.get().perSecond(method))));
    }
    lines.add(line + ".");
  }

  private void protection(Method method) {
    Optional<Measured> small = runs.alone(method, Form.SMALL);
    Optional<Measured> large = runs.alone(method, Form.DEFAULT);
    if (small.isPresent() && large.isPresent()) {
      Measured one = small.get();
      Measured other = large.get();
      lines.add(
          String.format(
              Locale.ROOT,
              "%s, %s ÷ %s: CPU %.2f, runnable threads %.2f, p99 of what is answered %.2f, at the"
                  + " store at once %d of %d, answers %.2f.",
              method.key(),
              Form.SMALL,
              Form.DEFAULT,
              one.cpuPercent() / other.cpuPercent(),
              one.runnable() / other.runnable(),
              one.p99Millis(method) / other.p99Millis(method),
              one.mostAtStore(method),
              other.mostAtStore(method),
              one.perSecond(method) / other.perSecond(method)));
    }
  }

  /** The slow method's answers are the pool's doing, so what is more in CPU is for refusals. */
  private void refusal() {
    Method slow = Method.FOLLOW;
    Optional<Measured> patient = runs.alone(slow, Form.SMALL);
    Optional<Measured> impatient = runs.impatient(slow);
    Optional<Measured> fast = runs.alone(Method.IS_FOLLOW, Form.CHOSEN);
    if (patient.isPresent() && impatient.isPresent() && fast.isPresent()) {
      Measured one = patient.get();
      Measured other = impatient.get();
      double micros =
          (other.cpuMicrosPerSecond() - one.cpuMicrosPerSecond())
              / (other.refusedPerSecond(slow) - one.refusedPerSecond(slow));
      if (!(micros > 0) || other.refusedPerSecond(slow) < 2 * one.refusedPerSecond(slow)) {
        lines.add(
            String.format(
                Locale.ROOT,
                "What a refusal costs cannot be seen in this run: callers that do not wait were"
                    + " refused %.0f times a second with %.0f %% of the CPU, patient ones %.0f"
                    + " times with %.0f %%.",
                other.refusedPerSecond(slow),
                other.cpuPercent(),
                one.refusedPerSecond(slow),
                one.cpuPercent()));
        return;
      }
      lines.add(
          String.format(
              Locale.ROOT,
              "A refusal costs the provider %.0f µs of CPU, an answer of %s %.0f µs. Callers that"
                  + " do not wait are refused %.0f times a second and take %.0f %% of the CPU;"
                  + " patient ones %.0f times and %.0f %%.",
              micros,
              Method.IS_FOLLOW.key(),
              fast.get().cpuMicrosPerAnswer(),
              other.refusedPerSecond(slow),
              other.cpuPercent(),
              one.refusedPerSecond(slow),
              one.cpuPercent()));
    }
  }

  private void twoPools() {
    Optional<Measured> own = runs.mixed(Form.CHOSEN, true);
    if (own.isEmpty()) {
      return;
    }
    for (PoolSetting shared : Form.SHARED_BY_TWO) {
      runs.mixed(shared, false)
          .ifPresent(
              one ->
                  lines.add(
                      String.format(
                          Locale.ROOT,
                          "A pool each ÷ both on %s: %s; %s; CPU %.2f.",
                          shared,
                          twoPools(Method.IS_FOLLOW, own.get(), one),
                          twoPools(Method.FOLLOW, own.get(), one),
                          own.get().cpuPercent() / one.cpuPercent())));
    }
  }

  private static String twoPools(Method method, Measured own, Measured shared) {
    return String.format(
        Locale.ROOT,
        "%s answers %.2f, p99 %.2f",
        method.key(),
        own.perSecond(method) / shared.perSecond(method),
        own.p99Millis(method) / shared.p99Millis(method));
  }
}
