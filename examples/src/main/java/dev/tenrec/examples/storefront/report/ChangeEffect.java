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
    long afterNanos = endNanos - entry.atNanos();
    return String.format(
        Locale.ROOT,
        "before and after: time-outs %.1f -> %.1f a second, rejections %.1f -> %.1f a second, p99 %.0f -> %.0f ms",
        perSecond(before, Ending.TIMEOUT, entry.atNanos()),
        perSecond(after, Ending.TIMEOUT, afterNanos),
        perSecond(before, Ending.REJECTED, entry.atNanos()),
        perSecond(after, Ending.REJECTED, afterNanos),
        Answers.percentileMillis(before, 99),
        Answers.percentileMillis(after, 99));
  }

  private static double perSecond(List<Answer> answers, Ending ending, long nanos) {
    return answers.stream().filter(answer -> answer.ending() == ending).count() * 1e9 / nanos;
  }
}
