// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import static dev.tenrec.metrics.event.EventType.BAD_REQUEST;
import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.SEMAPHORE_REJECTED;
import static dev.tenrec.metrics.event.EventType.SHORT_CIRCUITED;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.THREAD_POOL_REJECTED;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.examples.storefront.command.Calls;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.examples.storefront.load.Answers;
import dev.tenrec.examples.storefront.load.Ending;
import dev.tenrec.metrics.view.CircuitState;
import java.util.ArrayList;
import java.util.List;

/** Checks the account: nothing lost, nothing counted twice, nothing left. */
public final class Accounting {

  private final Account account;
  private final List<Check> checks = new ArrayList<>();

  private Accounting(Account account) {
    this.account = account;
  }

  /** All checks, in the order they are printed. */
  public static List<Check> of(Account account) {
    Accounting accounting = new Accounting(account);
    accounting.everyCallEndedOnce();
    account.commands().forEach(accounting::bothSidesAgree);
    accounting.nothingIsLeft();
    accounting.reviewsRecovered();
    accounting.changeTaken();
    return List.copyOf(accounting.checks);
  }

  private void everyCallEndedOnce() {
    long endings = account.endings().values().stream().mapToLong(Long::longValue).sum();
    checks.add(
        new Check(
            account.calls() == endings,
            "calls = sum of endings: " + account.calls() + " calls, " + endings + " endings"));
  }

  /**
   * The callers' endings against Tenrec's events. What a fallback answered has its cause among the
   * events only.
   */
  private void bothSidesAgree(WatchedCommand command) {
    Answers answers = account.answers(command);
    List<String> differences = new ArrayList<>();
    compare(differences, "success", count(answers, Ending.SUCCESS), command.count(SUCCESS));
    compare(
        differences, "fallback", count(answers, Ending.FALLBACK), command.count(FALLBACK_SUCCESS));
    compare(
        differences, "badRequest", count(answers, Ending.BAD_REQUEST), command.count(BAD_REQUEST));
    compare(differences, "cancelled", count(answers, Ending.CANCELLED), command.count(CANCELLED));
    compare(
        differences,
        "answered with an exception",
        count(
            answers,
            Ending.BAD_REQUEST,
            Ending.FAILURE,
            Ending.TIMEOUT,
            Ending.REJECTED,
            Ending.SHORT_CIRCUITED),
        command.count(EXCEPTION_THROWN));
    if (command.count(FALLBACK_SUCCESS) == 0) {
      compare(differences, "failure", count(answers, Ending.FAILURE), command.count(FAILURE));
      compare(differences, "timeout", count(answers, Ending.TIMEOUT), command.count(TIMEOUT));
      compare(
          differences,
          "rejected",
          count(answers, Ending.REJECTED),
          command.count(THREAD_POOL_REJECTED, SEMAPHORE_REJECTED));
      compare(
          differences,
          "shortCircuited",
          count(answers, Ending.SHORT_CIRCUITED),
          command.count(SHORT_CIRCUITED));
    } else {
      compare(
          differences,
          "without an answer of the work",
          count(
              answers,
              Ending.FALLBACK,
              Ending.FAILURE,
              Ending.TIMEOUT,
              Ending.REJECTED,
              Ending.SHORT_CIRCUITED),
          command.count(
              FAILURE, TIMEOUT, THREAD_POOL_REJECTED, SEMAPHORE_REJECTED, SHORT_CIRCUITED));
    }
    checks.add(
        new Check(
            differences.isEmpty(),
            command.key()
                + (differences.isEmpty()
                    ? ": callers and Tenrec count the same, for " + answers.calls() + " calls"
                    : ": callers and Tenrec differ: " + String.join("; ", differences))));
  }

  private static long count(Answers answers, Ending... endings) {
    long sum = 0;
    for (Ending ending : endings) {
      sum += answers.count(ending);
    }
    return sum;
  }

  private static void compare(List<String> differences, String what, long callers, long tenrec) {
    if (callers != tenrec) {
      differences.add(what + " " + callers + " by the callers' count, " + tenrec + " by Tenrec's");
    }
  }

  private void nothingIsLeft() {
    Remains remains = account.remains();
    checks.add(new Check(remains.permits() == 0, "no permit out: " + remains.permits() + " held"));
    checks.add(
        new Check(
            remains.threads() == 0,
            "no thread of Tenrec's left: " + remains.threads() + " alive" + names(remains)));
  }

  private static String names(Remains remains) {
    return remains.threadNames().isEmpty() ? "" : " " + remains.threadNames();
  }

  private void changeTaken() {
    String property = CommandProperties.TIMEOUT.name();
    boolean taken =
        account.settings().stream().anyMatch(entry -> entry.isOf(Calls.GET_PRICE, property));
    checks.add(
        new Check(
            taken,
            "the change of "
                + Calls.GET_PRICE
                + "'s time-out in the file was "
                + (taken ? "taken over" : "never taken over")));
  }

  private void reviewsRecovered() {
    boolean opened = false;
    boolean closedAgain = false;
    for (WatchedCommand command : account.commands()) {
      if (command.key().equals(Calls.GET_REVIEWS)) {
        for (Transition transition : command.journal().get()) {
          opened |= transition.to() == CircuitState.OPEN;
          closedAgain |= opened && transition.to() == CircuitState.CLOSED;
        }
      }
    }
    checks.add(
        new Check(
            opened && closedAgain,
            "the circuit of "
                + Calls.GET_REVIEWS
                + (opened ? " opened" : " never opened")
                + (closedAgain ? " and closed again" : " and never closed again")));
  }
}
