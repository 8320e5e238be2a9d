// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.Command;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.retry.Hedge;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and checks what a method's annotation says about hedges. */
final class HedgeReader {

  private static final String STRATEGY = CommandProperties.ISOLATION_STRATEGY.name();

  /** What is said by attributes. */
  private static final List<String> SAID =
      List.of(
          CommandProperties.HEDGE_AFTER.name(),
          CommandProperties.HEDGE_PERCENTILE.name(),
          CommandProperties.HEDGE_AT_MOST.name());

  private static final Pattern PERCENTILE = Pattern.compile("p([1-9]\\d?)");

  /** As {@link Hedge#atMost} and {@link Hedge#after} have it. */
  private static final int MOST = 10;

  private static final long LONGEST_MILLIS = Duration.ofDays(1).toMillis();

  private static final String RULE =
      "a time up to a day as 50ms, PT0.05S or 50 (milliseconds), or a percentile from p1 to p99";

  private final Texts texts;
  private final Class<?> type;
  private final Method method;
  private final Mistakes mistakes;

  HedgeReader(Texts texts, Class<?> type, Method method, Mistakes mistakes) {
    this.texts = texts;
    this.type = type;
    this.method = method;
    this.mistakes = mistakes;
  }

  /**
   * What it says; null if that is nothing, or a mistake.
   *
   * @param own the properties that the annotation has
   * @param all those of the class as well
   * @param staged whether the method only starts something
   * @param sharedBudget null for the command's own
   */
  @Nullable Hedge read(
      Command command,
      Map<String, String> own,
      Map<String, String> all,
      boolean staged,
      @Nullable String sharedBudget) {
    String property = SAID.stream().filter(own::containsKey).findFirst().orElse(null);
    if (command.hedgeAfter().isEmpty()) {
      if (command.hedges() != 1) {
        add("hedges = " + command.hedges() + " without hedgeAfter", "hedgeAfter beside it");
      } else if (property != null) {
        add(
            property + " without hedgeAfter",
            "hedgeAfter: whether it may run twice at once is said there");
      }
      return null;
    }
    if (command.hedges() < 1 || command.hedges() > MOST) {
      add("hedges = " + command.hedges(), "1 to " + MOST);
      return null;
    }
    if (property != null) {
      add("@Command says hedgeAfter, and " + property + " as well", "one of the two");
      return null;
    }
    if (!staged && IsolationStrategy.SEMAPHORE.name().equals(all.get(STRATEGY))) {
      add(
          "hedgeAfter on a method that runs on its caller's thread",
          "a thread pool or virtual threads: that thread is busy with the first attempt");
      return null;
    }
    String text = texts.resolve(command.hedgeAfter(), "hedgeAfter", type, method, mistakes);
    if (text == null) {
      return null;
    }
    Hedge hedge = hedge(text);
    if (hedge == null) {
      add("hedgeAfter = \"" + text + "\"", RULE);
      return null;
    }
    hedge = hedge.atMost(command.hedges());
    return sharedBudget == null ? hedge : hedge.sharedBudget(sharedBudget);
  }

  private static @Nullable Hedge hedge(String text) {
    Matcher percentile = PERCENTILE.matcher(text);
    if (percentile.matches()) {
      return Hedge.afterPercentile(Integer.parseInt(percentile.group(1)));
    }
    Long millis = DurationText.millis(text);
    return millis == null || millis > LONGEST_MILLIS
        ? null
        : Hedge.after(Duration.ofMillis(millis));
  }

  private void add(String found, String expected) {
    mistakes.add(type, method, found, expected);
  }
}
