// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Driver;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Report;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.field.load.service.ServiceProcess;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a load on a service with a slow tail came to.
 *
 * @param hedged whether the command had a hedge
 * @param attempts calls that went out to the service
 * @param firstSlow calls whose first attempt was a slow one
 * @param slowAnswers calls that were answered by a slow attempt
 * @param allSlow those of them that had no other attempt than slow ones
 * @param hedges that were begun
 * @param refused hedges that were not, for want of budget
 * @param outrun attempts that another one outran
 */
record TailRun(
    TailForm form,
    boolean hedged,
    Result result,
    long attempts,
    long firstSlow,
    long slowAnswers,
    long allSlow,
    long hedges,
    long refused,
    long outrun) {

  private static final int ASYNC_THREADS = 2;
  private static final int WARM_UP_USERS = 20;

  /** Of the time that is measured, a tenth. */
  private static final int WARM_UP_SHARE = 10;

  private static final double BUDGET_WINDOW_SECONDS = 10;

  /** Measures one; the service has to be warm. */
  static TailRun measure(TailForm form, boolean hedged, ServiceProcess service, Stop stop)
      throws Exception {
    try (TailTarget target = new TailTarget(form, hedged, service.uri())) {
      Plan plan =
          new Plan(
              Engines.ASYNC,
              ASYNC_THREADS,
              new Arrivals.Open(form.perSecond()),
              form.calls(),
              Duration.ofMillis(form.millis()),
              form.patience().multipliedBy(2));
      Result result = new Driver(plan, target, stop, Progress.none()).run();
      return new TailRun(
          form,
          hedged,
          result,
          target.attempts(),
          target.firstSlow(),
          target.slowAnswers(),
          target.allSlow(),
          target.count(EventType.HEDGE),
          target.count(EventType.HEDGE_REFUSED),
          target.count(EventType.ATTEMPT_OUTRUN));
    }
  }

  /** Has the service's and the driver's code compiled, by fast calls. */
  static void warmUp(TailForm form, ServiceProcess service, Stop stop) throws Exception {
    HttpAddress address = HttpAddress.of(service.uri() + "delay/" + form.fastMillis());
    try (HttpTarget target = new HttpTarget(address, form.patience(), ASYNC_THREADS)) {
      Plan plan =
          Plan.closed(
              Engines.ASYNC,
              ASYNC_THREADS,
              WARM_UP_USERS,
              Duration.ofMillis(form.millis() / WARM_UP_SHARE),
              form.patience());
      Result unused = new Driver(plan, target, stop, Progress.none()).run();
    }
  }

  String label() {
    return label(form, hedged);
  }

  static String label(TailForm form, boolean hedged) {
    return hedged ? "hedge after " + form.hedgeMillis() + " ms" : "no hedge";
  }

  double p99Millis() {
    return result.sinceIntended().percentileMillis(99);
  }

  double p50Millis() {
    return result.sinceIntended().percentileMillis(50);
  }

  double attemptsForEachCall() {
    return (double) attempts / result.counts().sent();
  }

  /** The most attempts that the budget allows, each of its windows with its fixed number. */
  long most() {
    long calls = result.counts().sent();
    if (!hedged) {
      return calls;
    }
    double seconds = (form.millis() + form.patience().toMillis()) / 1e3;
    long windows = (long) (seconds / BUDGET_WINDOW_SECONDS) + 1;
    return calls
        + calls * TailForm.BUDGET_PERCENT / 100
        + windows * (long) BUDGET_WINDOW_SECONDS * TailForm.BUDGET_PER_SECOND;
  }

  List<String> differences() {
    Reconciliation found = new Reconciliation();
    result.counts().reconcile("", found);
    found.same("attempts", attempts, "calls + HEDGE", result.counts().sent() + hedges);
    found.between("attempts", attempts, "calls", result.counts().sent(), "by the budget", most());
    if (!hedged) {
      found.same("slow answers", slowAnswers, "calls with a slow attempt", firstSlow);
    }
    return found.differences();
  }

  Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("command", label());
    json.put("hedged", hedged);
    json.put("attempts", attempts);
    json.put("attemptsForEachCall", attemptsForEachCall());
    json.put("mostByTheBudget", most());
    json.put("firstSlow", firstSlow);
    json.put("slowAnswers", slowAnswers);
    json.put("allSlow", allSlow);
    json.put("hedges", hedges);
    json.put("refused", refused);
    json.put("outrun", outrun);
    json.put("driver", new Report(result).json());
    return json;
  }
}
