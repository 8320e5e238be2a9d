// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.kit.TestSources;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Mutants that no test of one thread can notice, each with the test of its race: {@link
 * RaceMutantsTest} runs them, and {@code docs/proof.md} counts them.
 */
public final class RaceMutants {

  private static final String BREAKER = "breaker/CircuitBreaker";
  private static final String PERMITS = "isolation/Permits";
  private static final String RATES = "rate/RateWord";
  private static final String LAUNCHER = "batch/BatchLauncher";
  private static final String METRICS = "metrics/CommandMetrics";

  private static final String OF_BREAKER =
      "dev.tenrec.core.internal.breaker.CircuitBreakerLincheckTest";
  private static final String OF_TRIALS = "CircuitBreakerStress";
  private static final String OF_PERMITS = "PermitsStress";
  private static final String OF_DIVISION = "dev.tenrec.core.internal.batch.DivisionRaceTest";
  private static final String OF_TROUBLE = "UnseenTroubleStress";

  /** What the sources of that module begin with here. */
  private static final String IN_METRICS = "metrics/";

  private RaceMutants() {}

  /**
   * A change.
   *
   * @param source the class, below {@code dev.tenrec.core.internal}, or, after {@code metrics/},
   *     below {@code dev.tenrec.metrics.internal}
   * @param method where in it, by its simple name
   * @param text what stands there, once
   * @param instead what the mutant has
   * @param noticedBy a JUnit class, or what the names of stress tests contain
   */
  public record Mutant(
      String says, String source, String method, String text, String instead, String noticedBy) {

    /** Its class, by its simple name. */
    public String type() {
      return source.substring(source.lastIndexOf('/') + 1);
    }

    /** The class that notices it, by its simple name, also if that is a test in the class. */
    public String test() {
      return isOfStress(noticedBy)
          ? noticedBy.replaceFirst("\\..*", "")
          : noticedBy.substring(noticedBy.lastIndexOf('.') + 1);
    }

    /** Whether it is what the names of stress tests contain. */
    static boolean isOfStress(String test) {
      return test.contains("Stress");
    }

    /** Where its class is declared, below a directory of sources. */
    Path path() {
      return Path.of(
          isOfMetrics()
              ? "dev/tenrec/metrics/internal/" + source.substring(IN_METRICS.length()) + ".java"
              : "dev/tenrec/core/internal/" + source + ".java");
    }

    /** The source of its class. */
    public Path file() {
      return TestSources.root()
          .resolve(isOfMetrics() ? "metrics" : "core")
          .resolve("src/main/java")
          .resolve(path());
    }

    private boolean isOfMetrics() {
      return source.startsWith(IN_METRICS);
    }

    @Override
    public String toString() {
      return source + "." + method + ": " + says;
    }
  }

  /** All of them. */
  public static Stream<Mutant> all() {
    return Stream.of(
        new Mutant(
            "a transition that was lost is taken for made",
            BREAKER,
            "change",
            "    if (!replace(seen, next)) {\n      return false;\n    }",
            "    boolean unused = replace(seen, next);",
            OF_BREAKER),
        new Mutant(
            "a state is written without a look at the one it replaces",
            BREAKER,
            "replace",
            "return STATE.compareAndSet(this, seen, next);",
            "STATE.setVolatile(this, next);\n    return true;",
            OF_BREAKER),
        new Mutant(
            "a trial is let in although another was faster",
            BREAKER,
            "admitTrial",
            "if (replace(halfOpen, halfOpen.with(trial, now, limits))) {",
            "if (replace(halfOpen, halfOpen.with(trial, now, limits)) || true) {",
            OF_BREAKER),
        new Mutant(
            "a trial's success is dropped if another was faster",
            BREAKER,
            "succeeded",
            ": replace(seen, next)) {",
            ": replace(seen, next) || true) {",
            OF_TRIALS),
        new Mutant(
            "a trial's failure is dropped if another was faster",
            BREAKER,
            "failed",
            "if (open(seen, now, TransitionReason.TRIAL_FAILED, seen.period.health, rules)) {",
            "if (open(seen, now, TransitionReason.TRIAL_FAILED, seen.period.health, rules) || true)"
                + " {",
            OF_TRIALS),
        new Mutant(
            "a trial's place is not given back if another was faster",
            BREAKER,
            "released",
            "if (replace(seen, seen.without(trial))) {",
            "if (replace(seen, seen.without(trial)) || true) {",
            OF_TRIALS),
        new Mutant(
            "a giver does not look for a debt once more",
            PERMITS,
            "give",
            "    if (debt(bounds) != 0) {\n      settle();\n    }",
            "",
            OF_PERMITS),
        new Mutant(
            "a taker is refused although a permit came back meanwhile",
            PERMITS,
            "takeFromCells",
            "if (seenPuts == totalPuts() && bounds == before && resizes == seenResizes) {\n"
                + "        return refused",
            "if (bounds == before && resizes == seenResizes) {\n        return refused",
            OF_PERMITS),
        new Mutant(
            "a settler does not look for a permit once more",
            PERMITS,
            "settle",
            "        if (totalFree() == 0) {\n          return;\n        }",
            "        return;",
            OF_PERMITS),
        new Mutant(
            "the maximum is written without a look at another taker's",
            PERMITS,
            "raiseMaximum",
            "if (MAXIMUM.compareAndSet(this, seen, use)) {\n        return;\n      }",
            "MAXIMUM.setVolatile(this, use);\n      return;",
            OF_PERMITS),
        new Mutant(
            "two threads that collide have cells of their own each",
            PERMITS,
            "grow",
            "PermitCell[] before = (PermitCell[]) CELLS.compareAndExchange(this, null, grown);\n"
                + "    return before == null ? grown : before;",
            "CELLS.setVolatile(this, grown);\n    return grown;",
            OF_PERMITS),
        new Mutant(
            "two callers that miss together both begin a run",
            "sharing/RunSharing",
            "bring",
            "if (!cache.putIfAbsent(runtime, key, run)) {",
            "if (!cache.putIfAbsent(runtime, key, run) && false) {",
            "RunSharingStress"),
        new Mutant(
            "a sharer joins without the lock",
            "cache/SharedRun",
            "join",
            "public final synchronized boolean join(",
            "public final boolean join(",
            "SharedRunStress"),
        new Mutant(
            "a sharer leaves without the lock",
            "cache/SharedRun",
            "leave",
            "public final synchronized boolean leave(",
            "public final boolean leave(",
            "SharedRunStress"),
        new Mutant(
            "a retry's token is spent although it was given back",
            "retry/RetryToken",
            "spend",
            "return STATE.compareAndSet(this, DRAWN, SPENT);",
            "boolean drawn = state == DRAWN;\n"
                + "    STATE.setVolatile(this, SPENT);\n"
                + "    return drawn;",
            "RetryTokenStress"),
        new Mutant(
            "a permit of a rate is taken by two",
            RATES,
            "take",
            "if (ARRIVAL.compareAndSet(this, seen, (ahead > 0 ? seen : nowNanos) +"
                + " rate.intervalNanos)) {\n"
                + "        return TAKEN;",
            "ARRIVAL.setVolatile(this, (ahead > 0 ? seen : nowNanos) + rate.intervalNanos);\n"
                + "      if (seen == seen) {\n"
                + "        return TAKEN;",
            "RateWordStress"),
        new Mutant(
            "a rate's word is frozen over a permit that is taken meanwhile",
            RATES,
            "freeze",
            "          || ARRIVAL.compareAndSet(\n"
                + "              this, seen, (ahead > 0 ? seen : nowNanos) + FROZEN_AHEAD_NANOS))"
                + " {",
            "          || (long) ARRIVAL.getAndSet(this, (ahead > 0 ? seen : nowNanos) +"
                + " FROZEN_AHEAD_NANOS) != Long.MIN_VALUE) {",
            "RateWordStress"),
        new Mutant(
            "two threads end a call",
            "call/ExecutionState",
            "claim",
            "if (STATE.compareAndSet(this, seen, seen | CLAIMED | (busy ? ABANDONED_RUNNING : 0)))"
                + " {",
            "STATE.setVolatile(this, seen | CLAIMED | (busy ? ABANDONED_RUNNING : 0));\n"
                + "      if (seen == seen) {",
            "ExecutionStateStress"),
        new Mutant(
            "what a canceller adds is lost to one that comes with it, or after the end",
            "call/Cancellers",
            "add",
            "if (top.compareAndSet(seen, new Node(canceller, seen))) {",
            "top.set(new Node(canceller, seen));\n      if (seen != OVER) {",
            "CancellersStress"),
        new Mutant(
            "two threads that register a first canceller have room of their own each",
            "call/RunningWork",
            "cancellers",
            "present = CANCELLERS.compareAndSet(this, null, made) ? made : cancellers;",
            "cancellers = made;\n      present = made;",
            "FirstCancellerStress.FirstAgainstFirst"),
        new Mutant(
            "a first canceller is registered after the look whether the call is given up",
            "call/RunningWork",
            "cancellers",
            "      present = CANCELLERS.compareAndSet(this, null, made) ? made : cancellers;\n"
                + "      if (present == null) {\n"
                + "        throw new AssertionError(\"set once, and never taken away\");\n"
                + "      }\n"
                + "      if (wasAbandonedRunning()) {",
            "      boolean before = wasAbandonedRunning();\n"
                + "      present = CANCELLERS.compareAndSet(this, null, made) ? made : cancellers;\n"
                + "      if (before) {",
            "FirstCancellerStress.FirstAgainstGivingUp"),
        new Mutant(
            "the timer does not come again that found the metrics being read",
            "call/OutcomeRecorder",
            "armedLook",
            "    if (!judge(seen, metrics.lookArmed(now), now) && metrics.claimLook())"
                + " {\n"
                + "      arm(now + RETRY_NANOS);\n"
                + "    }\n",
            "    boolean unused = judge(seen, metrics.lookArmed(now), now);\n",
            "ArmedLookStress"),
        new Mutant(
            "a transition is said to be made that was lost, and nobody hears of it",
            BREAKER,
            "change",
            "    if (!replace(seen, next)) {\n      return false;\n    }",
            "    if (!replace(seen, next)) {\n      return true;\n    }",
            OF_TRIALS + ".SuccessAndFailure"),
        new Mutant(
            "the last trial's success is dropped if another trial was faster",
            BREAKER,
            "close",
            "    return close(seen, seen.period.health, TransitionReason.TRIALS_SUCCEEDED, null,"
                + " now, limits);",
            "    close(seen, seen.period.health, TransitionReason.TRIALS_SUCCEEDED, null, now,"
                + " limits);\n"
                + "    return true;",
            OF_TRIALS + ".LastSuccessAgainstNewTrial"),
        new Mutant(
            "closing by hand is dropped if a trial was faster",
            BREAKER,
            "close",
            "    return change(seen, new Closed(seen.history.plus(transition)));",
            "    boolean unused = change(seen, new Closed(seen.history.plus(transition)));\n"
                + "    return true;",
            OF_TRIALS + ".ClosingByHandAgainstNewTrial"),
        new Mutant(
            "opening is dropped if another trial was faster",
            BREAKER,
            "open",
            "    return change(seen, new Open(seen.history.plus(transition), now, health, new"
                + " Refused(refusal)));",
            "    boolean unused =\n"
                + "        change(seen, new Open(seen.history.plus(transition), now, health, new"
                + " Refused(refusal)));\n"
                + "    return true;",
            OF_TRIALS + ".SuccessAndFailure"),
        new Mutant(
            "none of the parts is gone through that were divided too late",
            LAUNCHER,
            "fail",
            "    for (int i = 0; i < parts.size(); i++) {\n      parts.get(i).failApart(error);",
            "    for (int i = 0; i >= parts.size(); i++) {\n      parts.get(i).failApart(error);",
            OF_DIVISION),
        new Mutant(
            "a part that was divided too late is not ended",
            LAUNCHER,
            "fail",
            "      parts.get(i).failApart(error);",
            "      parts.get(i);",
            OF_DIVISION),
        new Mutant(
            "the dividing thread ends nothing that another one was to end",
            LAUNCHER,
            "divided",
            "    fail(parts, ended);\n",
            "",
            OF_DIVISION),
        new Mutant(
            "a stage that ends while closing notes it is kept",
            "call/RunningStages",
            "mayGoOn",
            "      if (execution.hasStopped()) { // meanwhile: its thread may not have found it"
                + " here\n"
                + "        running.remove(execution);\n"
                + "      }\n",
            "",
            "RunningStagesStress"),
        new Mutant(
            "two attempts fail without the lock",
            "attempt/HedgedCall",
            "failed",
            "synchronized boolean failed(HedgedAttempt<A, R> attempt, EventType event, Throwable"
                + " cause) {",
            "boolean failed(HedgedAttempt<A, R> attempt, EventType event, Throwable cause) {",
            "HedgedCallStress.LastFailure"),
        new Mutant(
            "a batch is taken without the lock",
            "collapser/Batch",
            "take",
            "private synchronized boolean take() {",
            "private boolean take() {",
            "BatchesStress"),
        new Mutant(
            "the timer looks at a stream's limit without the lock",
            "stream/StreamBridge",
            "expire",
            "synchronized boolean expire(",
            "boolean expire(",
            "StreamBridgeStress.LateItemAgainstTimer"),
        new Mutant(
            "a look sums before it takes the mark off",
            METRICS,
            "lookLocked",
            "    looks();\n    try {\n      return window.health(totals(), nowNanos);",
            "    try {\n"
                + "      HealthSnapshot health = window.health(totals(), nowNanos);\n"
                + "      looks();\n"
                + "      return health;",
            OF_TROUBLE),
        new Mutant(
            "two errors that are marked together both arm the timer",
            "metrics/CommandWatch",
            "claimLook",
            "    return ((int) MARKS.getAndBitwiseOr(this, UNSEEN | ARMED) & ARMED) == 0;",
            "    int before = marks;\n"
                + "    MARKS.setVolatile(this, before | UNSEEN | ARMED);\n"
                + "    return (before & ARMED) == 0;",
            OF_TROUBLE),
        new Mutant(
            "two first counts have an array each, one of which is lost",
            "metrics/rolling/StripedCounters",
            "allocate",
            "private synchronized int[] allocate(",
            "private int[] allocate(",
            OF_TROUBLE),
        new Mutant(
            "a success is lost that was recorded in slots given away meanwhile",
            "metrics/CommandCounters",
            "recordSuccess",
            "    if (latencies != current) {\n      keepSuccesses(current);\n    }\n",
            "",
            "PercentilesOffStress"));
  }
}
