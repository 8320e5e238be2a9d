// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.internal.gate.Bulkheads;
import dev.tenrec.core.internal.text.LogText;
import dev.tenrec.core.view.CallTimeout;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.view.CommandSnapshot;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Why calls of one command were refused or timed out in the rolling window, and what would change
 * it, one sentence or two a line, whatever stands in a key or a value. Made of one snapshot, so
 * that its numbers fit together.
 */
final class Explanation {

  private final CommandDetails command;
  private final CommandSnapshot now;
  private final @Nullable String sharedLimiter;
  private final @Nullable String sharedSemaphore;
  private final @Nullable String usedUpBudget;
  private final List<EffectiveSetting> settings;
  private final List<JournalEntry> trouble;
  private final List<String> lines = new ArrayList<>();

  private Explanation(
      CommandDetails command, Bulkheads bulkheads, Supplier<@Nullable String> usedUpBudget) {
    this.command = command;
    this.now = command.snapshot();
    this.sharedLimiter = bulkheads.sharedLimiter();
    this.sharedSemaphore = bulkheads.sharedSemaphore();
    this.usedUpBudget = usedUpBudget.get(); // after the counts: its name is there before they are
    this.settings = command.settings();
    this.trouble = command.lastTrouble();
  }

  /**
   * In words.
   *
   * @param bulkheads what can bound it
   * @param usedUpBudget the name of the shared budget that had no retry left; null if there is none
   */
  static String of(
      CommandDetails command, Bulkheads bulkheads, Supplier<@Nullable String> usedUpBudget) {
    return new Explanation(command, bulkheads, usedUpBudget).text();
  }

  private String text() {
    circuit();
    counts();
    shortCircuited();
    rejected();
    rateLimited();
    timedOut();
    beyondDeadlines();
    retries();
    hedges();
    fallbacks();
    stillBusy();
    refusedSettings();
    return String.join("\n", lines);
  }

  private void circuit() {
    String key = LogText.of(now.key());
    switch (now.circuitState()) {
      case OPEN -> {
        Instant trial = command.nextTrialAt();
        lines.add(
            key
                + ": the circuit is open"
                + lastTransition()
                + (trial == null ? "" : " It lets a trial through from " + trial + " on."));
      }
      case HALF_OPEN ->
          lines.add(key + ": the circuit is half-open and waits for its trials" + lastTransition());
      case FORCED_OPEN ->
          lines.add(
              key
                  + ": the circuit is forced open: every call is refused while "
                  + said(CommandProperties.FORCE_OPEN)
                  + ".");
      case FORCED_CLOSED ->
          lines.add(
              key
                  + ": the circuit lets every call through, for "
                  + said(CommandProperties.FORCE_CLOSED)
                  + ".");
      case DISABLED ->
          lines.add(
              key + ": there is no circuit: " + said(CommandProperties.BREAKER_ENABLED) + ".");
      case CLOSED -> lines.add(key + ": the circuit is closed.");
    }
  }

  private String lastTransition() {
    List<Transition> transitions = command.transitions();
    if (transitions.isEmpty()) {
      return ".";
    }
    Transition last = transitions.get(transitions.size() - 1);
    return " since " + last.at() + ": " + LogText.of(last.explanation()) + ".";
  }

  private void counts() {
    lines.add(
        "Of the last "
            + BigDecimal.valueOf(windowMillis(), 3).stripTrailingZeros().toPlainString()
            + " s: "
            + count(EventType.SUCCESS)
            + " succeeded, "
            + count(EventType.FAILURE)
            + " failed, "
            + count(EventType.TIMEOUT)
            + " timed out, "
            + refusals()
            + " were refused; "
            + count(EventType.FALLBACK_SUCCESS)
            + " of these were answered by the fallback.");
  }

  private void retries() {
    long retries = count(EventType.RETRY);
    long exhausted = count(EventType.RETRY_BUDGET_EXHAUSTED);
    if (retries > 0) {
      lines.add(retries + " of these were further attempts at calls that had failed.");
    }
    if (exhausted > 0) {
      lines.add(
          exhausted
              + " failures were not retried, because the budget of the retries was used up: more"
              + " of them would add to the load of what fails; in force "
              + (usedUpBudget == null
                  ? "are "
                      + said(CommandProperties.RETRY_BUDGET_PERCENT)
                      + " and "
                      + said(CommandProperties.RETRY_BUDGET_PER_SECOND)
                  : "is what retry budget "
                      + LogText.of(usedUpBudget)
                      + " allows all that share it")
              + ". There is no share of the calls, but the fixed number only, while more attempts"
              + " fail than succeed.");
    }
  }

  private void hedges() {
    long hedges = count(EventType.HEDGE);
    long refused = count(EventType.HEDGE_REFUSED);
    if (hedges > 0) {
      lines.add(
          hedges
              + " attempts were hedges, begun beside one that was slow; "
              + count(EventType.ATTEMPT_OUTRUN)
              + " attempts were outrun by another one of their call, or given up with it.");
    }
    if (refused > 0) {
      lines.add(
          refused
              + " hedges were due and did not begin, because the budget, the circuit, the rate"
              + " limit or the bulkhead had no place for them.");
    }
  }

  private long refusals() {
    return count(EventType.SHORT_CIRCUITED)
        + count(EventType.THREAD_POOL_REJECTED)
        + count(EventType.SEMAPHORE_REJECTED)
        + count(EventType.RATE_LIMITED);
  }

  private void shortCircuited() {
    long refused = count(EventType.SHORT_CIRCUITED);
    if (refused != 0) {
      lines.add(
          "Refused by the open circuit: "
              + refused
              + ". That ends when a trial succeeds, which is tried after "
              + said(CommandProperties.SLEEP_WINDOW)
              + "; if the dependency is known to be well, it can be closed by hand.");
    }
  }

  private void rejected() {
    long full = count(EventType.THREAD_POOL_REJECTED) + count(EventType.SEMAPHORE_REJECTED);
    if (full == 0) {
      return;
    }
    JournalEntry.CallRefused last = null;
    for (JournalEntry entry : trouble) {
      if (entry instanceof JournalEntry.CallRefused refused && isOfWork(refused)) {
        last = refused;
      }
    }
    lines.add(
        "Found no room: "
            + full
            + (last == null
                ? ""
                : ", one at " + last.at() + " because " + LogText.of(last.refusal().toString()))
            + "."
            + demand()
            + " More room: "
            + room(last)
            + "; less of it is needed if the work is quicker.");
  }

  private void rateLimited() {
    long refused = count(EventType.RATE_LIMITED);
    if (refused == 0) {
      return;
    }
    lines.add(
        "Came too fast for the rate limiter: "
            + refused
            + "; in force "
            + (sharedLimiter == null
                ? "are "
                    + said(CommandProperties.RATE_LIMITER_PERMITS)
                    + ", "
                    + said(CommandProperties.RATE_LIMITER_PERIOD)
                    + " and "
                    + said(CommandProperties.RATE_LIMITER_BURST)
                : "is what rate limiter " + LogText.of(sharedLimiter) + " allows all that share it")
            + ".");
  }

  private static boolean isOfWork(JournalEntry.CallRefused refused) {
    return switch (refused.refusal().reason()) {
      case THREAD_POOL, SEMAPHORE, VIRTUAL_THREAD -> true;
      default -> false;
    };
  }

  /** Little's law: how many are in flight on average, had all of them been let in. */
  private String demand() {
    LatencySnapshot work = now.latencies().execution();
    if (work.count() == 0) {
      return "";
    }
    double perSecond =
        (double)
                (count(EventType.SUCCESS)
                    + count(EventType.FAILURE)
                    + count(EventType.TIMEOUT)
                    + count(EventType.THREAD_POOL_REJECTED)
                    + count(EventType.SEMAPHORE_REJECTED))
            * 1_000
            / windowMillis();
    return String.format(
        Locale.ROOT,
        " At %.1f calls a second of %.0f ms each, %.1f are in flight on average, and %d are"
            + " allowed.",
        perSecond,
        work.meanNanos() / 1e6,
        perSecond * work.meanNanos() / 1e9,
        now.concurrencyLimit());
  }

  private String room(JournalEntry.@Nullable CallRefused last) {
    if (last == null) {
      return "the limit of its pool or semaphore";
    }
    return switch (last.refusal().reason()) {
      case THREAD_POOL ->
          PoolProperties.CORE_SIZE.name()
              + " or "
              + PoolProperties.MAX_QUEUE_SIZE.name()
              + " of thread pool "
              + LogText.of(last.refusal().bulkhead());
      case VIRTUAL_THREAD -> said(CommandProperties.VIRTUAL_THREAD_MAX_CONCURRENT);
      default ->
          sharedSemaphore == null
              ? said(CommandProperties.SEMAPHORE_MAX_CONCURRENT)
              : "maxConcurrentRequests of semaphore " + LogText.of(sharedSemaphore);
    };
  }

  private void timedOut() {
    long late = count(EventType.TIMEOUT);
    if (late == 0) {
      return;
    }
    boolean queued = false;
    boolean ofAttempts = false;
    for (JournalEntry entry : trouble) {
      if (entry instanceof JournalEntry.CallTimedOut timedOut) {
        queued = !timedOut.timeout().begun();
        ofAttempts |= isOfAttempt(timedOut.timeout());
      }
    }
    LatencySnapshot work = now.latencies().execution();
    lines.add(
        "Without an answer in time: "
            + late
            + "; in force is "
            + said(CommandProperties.TIMEOUT)
            + (ofAttempts
                ? ", and for each attempt " + said(CommandProperties.RETRY_ATTEMPT_TIMEOUT)
                : "")
            + "."
            + (work.count() == 0
                ? ""
                : String.format(
                    Locale.ROOT,
                    " The work takes %.1f ms in the median and %.1f ms at the 99th percentile.",
                    work.valueAtPercentile(50) / 1e6,
                    work.valueAtPercentile(99) / 1e6))
            + (queued
                ? " The last of them waited for a thread all the time: its pool is too small for"
                    + " them, or its threads are held by work that does not end."
                : " A longer time-out helps only if its callers can wait as long."));
  }

  /** Whether the limit that was passed is the one that is in force for each attempt. */
  private boolean isOfAttempt(CallTimeout late) {
    EffectiveSetting limit = setting(CommandProperties.RETRY_ATTEMPT_TIMEOUT);
    return limit.value() != null
        && CommandProperties.RETRY_ATTEMPT_TIMEOUT
            .read(limit.property(), limit.value())
            .equals(late.timeout());
  }

  private void beyondDeadlines() {
    long late = count(EventType.DEADLINE_EXCEEDED);
    if (late != 0) {
      lines.add(
          "Ended, or not begun, by the deadline of the calls they were made in: "
              + late
              + ". That says nothing of the dependency, and does not count for the circuit; "
              + said(CommandProperties.DEADLINE_ENABLED)
              + ".");
    }
  }

  private void fallbacks() {
    long refused = count(EventType.FALLBACK_REJECTION);
    if (refused != 0) {
      lines.add(
          "Fallbacks that found no room: "
              + refused
              + "; as many may run at once as "
              + said(CommandProperties.FALLBACK_MAX_CONCURRENT)
              + ", and those that are values need none.");
    }
    long failed = count(EventType.FALLBACK_FAILURE);
    if (failed != 0) {
      lines.add(
          "Fallbacks that failed themselves, so that their callers got the first cause: "
              + failed
              + ".");
    }
  }

  private void stillBusy() {
    if (now.stillBusy() != 0) {
      lines.add(
          "Still busy although their calls have been answered: "
              + now.stillBusy()
              + ". Such work holds its permit until it ends; it ends sooner if it heeds interrupts"
              + " or has a time-out of its own.");
    }
  }

  private void refusedSettings() {
    for (EffectiveSetting setting : settings) {
      if (setting.refusal() != null) {
        lines.add(
            "A setting was refused: "
                + LogText.of(setting.refusal().toString())
                + "; in force is "
                + LogText.of(setting.value())
                + ".");
      }
    }
  }

  private long count(EventType event) {
    return now.rollingCount(event);
  }

  private long windowMillis() {
    EffectiveSetting window = setting(CommandProperties.ROLLING_WINDOW);
    return window.value() == null
        ? 1_000
        : Math.max(
            1, CommandProperties.ROLLING_WINDOW.read(window.property(), window.value()).toMillis());
  }

  /** Name, value and level: what has to be known of a setting before it is changed. */
  private String said(Property<?> property) {
    EffectiveSetting setting = setting(property);
    return setting.property()
        + " = "
        + LogText.of(setting.value())
        + " ("
        + switch (setting.level()) {
          case INSTANCE -> "set for this command";
          case CODE -> "set in code";
          case GLOBAL -> "set for all commands";
          case DEFAULT -> "the default";
          case KEPT -> "the value of the strongest level is refused";
        }
        + (setting.origin() == null ? "" : ", " + LogText.of(setting.origin().toString()))
        + ")";
  }

  private EffectiveSetting setting(Property<?> property) {
    return settings.get(property.index());
  }
}
