// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.provider.service.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where the best pool lies, what the small one protects, and what two pools do: in sentences. */
final class Findings {

  /** An example of one, in calls a second. */
  private static final int PEAK = 10_000;

  private static final double ROOM_TO_SPARE = 0.9;

  private final Runs runs;
  private final List<String> lines = new ArrayList<>();

  private Findings(Runs runs) {
    this.runs = runs;
  }

  /** As far as there are figures for them. */
  static List<String> of(Runs runs, List<Canary.Phase> phases) {
    Findings findings = new Findings(runs);
    for (Method method : Method.values()) {
      findings.best(method);
    }
    for (Method method : Method.values()) {
      findings.protection(method);
    }
    findings.refusal();
    findings.twoPools(Form.SHARED_BY_TWO);
    findings.readers();
    findings.capacity();
    findings.canary(phases);
    return findings.lines;
  }

  /** Five that say what the system shows. */
  static List<String> five(Runs runs, List<Canary.Phase> phases) {
    Findings findings = new Findings(runs);
    findings.best(Method.IS_FOLLOW);
    findings.protection(Method.FOLLOW);
    findings.twoPools(List.of(Form.CHOSEN));
    findings.capacity();
    findings.canary(phases.subList(0, Math.min(3, phases.size())));
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

  private void twoPools(List<PoolSetting> sharedByTwo) {
    Optional<Measured> own = runs.mixed(Form.CHOSEN, true);
    if (own.isEmpty()) {
      return;
    }
    for (PoolSetting shared : sharedByTwo) {
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

  private void readers() {
    runs.readBy(0)
        .ifPresent(
            own -> {
              List<String> each = new ArrayList<>();
              for (int threads : Form.FULL.readers()) {
                runs.readBy(threads)
                    .ifPresent(
                        one ->
                            each.add(
                                String.format(
                                    Locale.ROOT,
                                    "%d: %.2f",
                                    threads,
                                    one.perSecond(Method.IS_FOLLOW)
                                        / own.perSecond(Method.IS_FOLLOW))));
              }
              lines.add(
                  "I/O threads, answers of isFollow ÷ those with none besides the thread that"
                      + " accepts: "
                      + String.join("; ", each)
                      + ".");
            });
  }

  /** How many instances a peak takes, and what a queue without a bound does beyond. */
  private void capacity() {
    Method method = Method.FOLLOW;
    List<Measured> bounded = runs.bySchedule(Form.ENOUGH);
    List<Measured> unlimited = runs.bySchedule(Form.UNLIMITED);
    if (runs.capacity().isEmpty() || bounded.isEmpty() || unlimited.isEmpty()) {
      return;
    }
    double capacity = runs.capacity().get().perSecond(method);
    Measured spare =
        bounded.stream()
            .filter(one -> one.point().perSecond() <= ROOM_TO_SPARE * capacity)
            .reduce((lower, higher) -> higher)
            .orElse(bounded.get(0));
    Measured most = bounded.get(bounded.size() - 1);
    Measured waiting = unlimited.get(unlimited.size() - 1);
    int part = spare.point().perSecond();
    lines.add(
        String.format(
            Locale.ROOT,
            "An instance answers %.0f/s of %s on %s. At %d/s it refuses %.1f %%, p99 %.0f ms; at"
                + " %d/s %.1f %%, p99 %.0f ms; with a queue without a bound %.1f %%, p99 %.0f ms."
                + " A peak of %d/s takes %d instances of %d/s each.",
            capacity,
            method.key(),
            Form.ENOUGH,
            part,
            spare.refusedShare(method) * 100,
            spare.p99Millis(method),
            most.point().perSecond(),
            most.refusedShare(method) * 100,
            most.p99Millis(method),
            waiting.refusedShare(method) * 100,
            waiting.p99Millis(method),
            PEAK,
            (PEAK + part - 1) / part,
            part));
  }

  private void canary(List<Canary.Phase> phases) {
    for (int i = 0; i + 2 < phases.size(); i += 3) {
      Canary.Phase before = phases.get(i);
      Canary.Phase trial = phases.get(i + 1);
      Canary.Phase after = phases.get(i + 2);
      Method method = trial.changed().onlyMethod();
      lines.add(
          String.format(
              Locale.ROOT,
              "Canary %s beside %s: answers %.2f, p99 %.2f of the other instance's; %s: answers of"
                  + " both %.2f of before. No restart, %d calls failed.",
              trial.tried(),
              trial.other().point().shared(),
              trial.changed().perSecond(method) / trial.other().perSecond(method),
              trial.changed().p99Millis(method) / trial.other().p99Millis(method),
              after.name(),
              answers(after) / answers(before),
              phases.subList(i, i + 3).stream()
                  .flatMap(phase -> phase.both().stream())
                  .mapToLong(one -> one.counts(method).failed())
                  .sum()));
    }
  }

  private static double answers(Canary.Phase phase) {
    return phase.both().stream().mapToDouble(one -> one.perSecond(one.onlyMethod())).sum();
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
