// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDefaults;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.internal.config.CodeSettings;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads and checks what a method's annotation, over its class's, says about settings. */
final class SettingsReader {

  private static final String STRATEGY = CommandProperties.ISOLATION_STRATEGY.name();
  private static final String TIMEOUT = CommandProperties.TIMEOUT.name();
  private static final String TIMEOUT_ENABLED = CommandProperties.TIMEOUT_ENABLED.name();

  private static final String ATTEMPTS = CommandProperties.RETRY_ATTEMPTS.name();

  /** As {@link dev.tenrec.core.retry.Retry#attempts} has it. */
  private static final int MOST_ATTEMPTS = 100;

  private final Texts texts;
  private final Class<?> type;
  private final Method method;
  private final Mistakes mistakes;

  SettingsReader(Texts texts, Class<?> type, Method method, Mistakes mistakes) {
    this.texts = texts;
    this.type = type;
    this.method = method;
    this.mistakes = mistakes;
  }

  /**
   * What they say.
   *
   * @param staged whether the method only starts something
   */
  Settings read(Command command, @Nullable CommandDefaults defaults, boolean staged) {
    Map<String, String> settings = new LinkedHashMap<>();
    boolean ownList = command.commandProperties().length > 0;
    if (defaults != null) {
      CommandProperty[] list = ownList ? new CommandProperty[0] : defaults.commandProperties();
      settings.putAll(level(defaults.timeout(), defaults.isolation(), list, "@CommandDefaults"));
    }
    Map<String, String> own =
        level(command.timeout(), command.isolation(), command.commandProperties(), "@Command");
    if (own.containsKey(TIMEOUT)) {
      settings.remove(TIMEOUT_ENABLED); // a class without time-outs, a method with one
    }
    settings.putAll(own);
    CommandProperty[] pool = command.threadPoolProperties();
    if (pool.length == 0 && defaults != null) {
      pool = defaults.threadPoolProperties();
    }
    Class<? extends Throwable>[] ignored = command.ignoreExceptions();
    if (ignored.length == 0 && defaults != null) {
      ignored = defaults.ignoreExceptions();
    }
    String budget = sharedBudget(command);
    return new Settings(
        Map.copyOf(settings),
        properties(pool, CodeSettings::pool, "threadPoolProperties"),
        List.of(ignored),
        attempts(command, own),
        List.of(command.retryOn()),
        new HedgeReader(texts, type, method, mistakes).read(command, own, settings, staged, budget),
        budget,
        texts.others());
  }

  /** Null if there is none, or what is said is a mistake. */
  private @Nullable String sharedBudget(Command command) {
    if (command.sharedBudget().isEmpty()) {
      return null;
    }
    if (command.attempts() == 1 && command.hedgeAfter().isEmpty()) {
      mistakes.add(
          type,
          method,
          "sharedBudget without attempts and hedgeAfter",
          "one of them beside it: only further attempts are drawn on a budget");
      return null;
    }
    String name = texts.resolve(command.sharedBudget(), "sharedBudget", type, method, mistakes);
    if (name != null && (name.isBlank() || name.equals(Property.GLOBAL))) {
      mistakes.add(
          type,
          method,
          "sharedBudget = \"" + name + "\"",
          "a name that is not blank, nor default, which stands for all names");
      return null;
    }
    return name;
  }

  private int attempts(Command command, Map<String, String> own) {
    int attempts = command.attempts();
    if (attempts < 1 || attempts > MOST_ATTEMPTS) {
      mistakes.add(type, method, "attempts = " + attempts, "1 to " + MOST_ATTEMPTS);
      return 1;
    }
    if (attempts == 1 && command.retryOn().length > 0) {
      mistakes.add(type, method, "retryOn without attempts", "attempts of 2 or more beside it");
    }
    if (own.containsKey(ATTEMPTS)) {
      mistakes.add(
          type,
          method,
          attempts > 1
              ? "@Command says attempts twice: by itself and as " + ATTEMPTS
              : ATTEMPTS + " without attempts",
          attempts > 1 ? "one of the two" : "attempts: whether it may run twice is said there");
    }
    return attempts;
  }

  /** The properties of a list, each checked alone. */
  Map<String, String> properties(
      CommandProperty[] list, Supplier<CodeSettings.Builder> scope, String attribute) {
    Map<String, String> read = new LinkedHashMap<>();
    for (CommandProperty property : list) {
      String name = property.name();
      String value =
          texts.resolve(property.value(), attribute + " " + name, type, method, mistakes);
      if (value == null) {
        continue;
      }
      if (read.containsKey(name)) {
        mistakes.add(type, method, attribute + " have " + name + " twice", "each property once");
      }
      if (isValid(scope, name, value, attribute)) {
        read.put(name, value);
      }
    }
    return Map.copyOf(read);
  }

  private boolean isValid(
      Supplier<CodeSettings.Builder> scope, String name, String value, String attribute) {
    try {
      CodeSettings.Builder unused = scope.get().set(name, value);
      return true;
    } catch (InvalidSettingException e) {
      mistakes.add(type, method, attribute + " " + e.key() + " = " + e.value(), e.rule());
      return false;
    }
  }

  private Map<String, String> level(
      String timeout, IsolationStrategy[] isolation, CommandProperty[] list, String annotation) {
    Map<String, String> said =
        new LinkedHashMap<>(properties(list, CodeSettings::command, "commandProperties"));
    if (isolation.length > 1) {
      mistakes.add(
          type, method, annotation + " has " + isolation.length + " isolations", "one or none");
    } else if (isolation.length == 1
        && isValid(CodeSettings::command, STRATEGY, isolation[0].name(), "isolation")) {
      once(said, STRATEGY, isolation[0].name(), "isolation", annotation);
    }
    if (!timeout.isEmpty()) {
      timeout(said, timeout, annotation);
    }
    return said;
  }

  private void timeout(Map<String, String> said, String timeout, String annotation) {
    String text = texts.resolve(timeout, "timeout", type, method, mistakes);
    if (text == null) {
      return;
    }
    if (text.equals("none")) {
      once(said, TIMEOUT_ENABLED, "false", "timeout", annotation);
      return;
    }
    Long millis = DurationText.millis(text);
    if (millis == null) {
      mistakes.add(type, method, "timeout = \"" + text + "\"", DurationText.RULE);
    } else if (isValid(CodeSettings::command, TIMEOUT, String.valueOf(millis), "timeout")) {
      once(said, TIMEOUT, String.valueOf(millis), "timeout", annotation);
      if ("false".equalsIgnoreCase(said.putIfAbsent(TIMEOUT_ENABLED, "true"))) {
        mistakes.add(
            type,
            method,
            annotation + " says timeout = \"" + text + "\" and " + TIMEOUT_ENABLED + " = false",
            "one of the two");
      }
    }
  }

  private void once(
      Map<String, String> said, String name, String value, String attribute, String annotation) {
    if (said.put(name, value) != null) {
      mistakes.add(
          type,
          method,
          annotation + " says " + attribute + " twice: by itself and as " + name,
          "one of the two");
    }
  }
}
