// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.examples.storefront.command.SettingsLog;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.examples.storefront.load.Answers;
import dev.tenrec.examples.storefront.load.Ending;
import java.io.PrintStream;
import java.util.List;

/** The account as a page, for people. */
public final class Summary {

  private final Account account;
  private final PrintStream out;

  private Summary(Account account, PrintStream out) {
    this.account = account;
    this.out = out;
  }

  /** Prints it. */
  public static void print(Account account, List<Check> checks, PrintStream out) {
    Summary summary = new Summary(account, out);
    summary.endings();
    summary.circuits();
    summary.settings();
    out.println();
    out.println("Accounting");
    checks.forEach(
        check -> out.println((check.holds() ? "  ok     " : "  WRONG  ") + check.text()));
    out.flush();
  }

  private void endings() {
    out.println();
    out.println(
        "Summary: how " + account.calls() + " calls were answered, by their callers' own account");
    Columns heads = new Columns().name("").cell(7, "calls");
    for (Ending ending : Ending.values()) {
      heads.cell(width(ending), ending.label());
    }
    out.println(heads.cell(8, "p50 ms").cell(8, "p99 ms"));
    account.commands().forEach(command -> out.println(row(command)));
    Columns all = new Columns().name("all").cell(7, account.calls());
    account.endings().forEach((ending, count) -> all.cell(width(ending), count));
    out.println(all);
  }

  private Columns row(WatchedCommand command) {
    Answers answers = account.answers(command);
    Columns row = new Columns().name(command.key()).cell(7, answers.calls());
    answers.endings().forEach((ending, count) -> row.cell(width(ending), count));
    return row.millis(8, answers.percentileMillis(50)).millis(8, answers.percentileMillis(99));
  }

  private static int width(Ending ending) {
    return Math.max(8, ending.label().length());
  }

  private void circuits() {
    out.println();
    out.println("Circuits");
    for (WatchedCommand command : account.commands()) {
      List<Transition> transitions = command.journal().get();
      if (transitions.isEmpty()) {
        out.println(new Columns().name(command.key()).cell(7, "").rest("always closed"));
      }
      for (Transition transition : transitions) {
        out.println(
            new Columns()
                .name(command.key())
                .cell(7, Columns.seconds(command.atNanos(transition)))
                .rest(News.text(transition)));
      }
    }
  }

  private void settings() {
    out.println();
    out.println("Settings changed while running");
    for (SettingsLog.Entry entry : account.settings()) {
      out.println("  " + Columns.seconds(entry.atNanos()) + "  " + News.text(entry));
      if (entry.change().scope().equals("command")) {
        Answers answers = account.log().of(entry.change().key());
        out.println("    " + ChangeEffect.text(entry, answers, account.length().toNanos()));
      }
    }
  }
}
