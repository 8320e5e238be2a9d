// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import dev.tenrec.examples.storefront.command.SettingsLog;
import dev.tenrec.examples.storefront.load.Answer;
import dev.tenrec.examples.storefront.load.Answers;
import dev.tenrec.examples.storefront.load.Ending;
import java.util.List;
import java.util.Locale;

/** What a changed setting did to the callers of its command: before it, and after. */
final class ChangeEffect {

  private ChangeEffect() {}

  static String text(SettingsLog.Entry entry, Answers answers, long endNanos) {
    List<Answer> before = answers.sentBetween(0, entry.atNanos());
    List<Answer> after = answers.sentBetween(entry.atNanos(), endNanos);
    return String.format(
        Locale.ROOT,
        "before: %.1f time-outs a second, p99 %.0f ms; after: %.1f time-outs a second, p99 %.0f ms",
        timeoutsASecond(before, entry.atNanos()),
        Answers.percentileMillis(before, 99),
        timeoutsASecond(after, endNanos - entry.atNanos()),
        Answers.percentileMillis(after, 99));
  }

  private static double timeoutsASecond(List<Answer> answers, long nanos) {
    return answers.stream().filter(answer -> answer.ending() == Ending.TIMEOUT).count()
        * 1e9
        / nanos;
  }
}
