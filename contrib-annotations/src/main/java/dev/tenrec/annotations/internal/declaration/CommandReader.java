// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDefaults;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Reads one method that is a command. */
final class CommandReader {

  /** Says that there is no default fallback, where no method has this name. */
  private static final String NO_FALLBACK = "none";

  private final Texts texts;
  private final Class<?> type;
  private final @Nullable CommandDefaults defaults;
  private final Mistakes mistakes;

  CommandReader(Texts texts, Class<?> type, @Nullable CommandDefaults defaults, Mistakes mistakes) {
    this.texts = texts;
    this.type = type;
    this.defaults = defaults;
    this.mistakes = mistakes;
  }

  /**
   * Reads it.
   *
   * @param defaultKey its key if it does not say one
   * @return null if its kind is unknown; other mistakes leave something to go on with
   */
  @Nullable DeclaredCommand read(
      Method method, Command command, @Nullable CacheResult cached, String defaultKey) {
    AnswerKind kind = MethodRules.kind(type, method, "@Command", mistakes);
    if (kind == null) {
      return null;
    }
    KeyTemplate literal = KeyTemplate.literal(defaultKey, method);
    KeyTemplate key = key(method, command.commandKey(), "", "commandKey", literal);
    KeyTemplate group =
        key(
            method,
            command.groupKey(),
            defaults == null ? "" : defaults.groupKey(),
            "groupKey",
            KeyTemplate.literal(simpleName(type), method));
    String poolDefault = defaults == null ? "" : defaults.threadPoolKey();
    boolean ownPool = !command.threadPoolKey().isEmpty() || !poolDefault.isEmpty();
    KeyTemplate pool =
        ownPool ? key(method, command.threadPoolKey(), poolDefault, "threadPoolKey", group) : null;
    if (key.isLiteral() && !(group.isLiteral() && (pool == null || pool.isLiteral()))) {
      mistakes.add(
          type,
          method,
          "an expression in the groupKey or threadPoolKey, and none in the commandKey " + key,
          "a commandKey with an expression as well: one command has one group and one pool");
    }
    if (command.maxKeys() < 1) {
      mistakes.add(type, method, "maxKeys = " + command.maxKeys(), "1 or more");
    }
    Settings settings =
        new SettingsReader(texts, type, method, mistakes)
            .read(command, defaults, kind.isStaged() || kind.isStream());
    if (settings.hedge() != null && kind.isStream()) {
      mistakes.add(
          type,
          method,
          "hedgeAfter = \"" + command.hedgeAfter() + "\" on a method that returns a stream",
          "no hedges: what a stream has brought cannot be taken back");
    } else if (settings.retries() && kind.isStream()) {
      mistakes.add(
          type,
          method,
          "attempts = " + command.attempts() + " on a method that returns a stream",
          "no attempts: what a stream has brought cannot be taken back");
    }
    return new DeclaredCommand(
        type,
        method,
        key,
        group,
        pool,
        command.maxKeys(),
        settings,
        kind,
        fallbacks(method, command, kind),
        cached == null
            ? null
            : new CacheKeyReader(type, method, mistakes).read(cached.cacheKeyMethod()));
  }

  private KeyTemplate key(
      Method method, String said, String otherwise, String attribute, KeyTemplate none) {
    String text = said.isEmpty() ? otherwise : said;
    String resolved = texts.resolve(text, attribute, type, method, mistakes);
    if (resolved == null || resolved.isEmpty()) {
      return none;
    }
    if (resolved.isBlank() || resolved.equals("default")) {
      mistakes.add(
          type,
          method,
          attribute + " = \"" + resolved + "\"",
          "a key that is not blank, nor default, which stands for all keys");
      return none;
    }
    KeyTemplate read = KeyTemplate.read(resolved, attribute, type, method, mistakes);
    return read == null ? none : read;
  }

  private @Nullable Fallbacks fallbacks(Method method, Command command, AnswerKind kind) {
    FallbackFinder finder = new FallbackFinder(type, method, kind, mistakes);
    if (!command.fallbackMethod().isEmpty()) {
      return finder.find(command.fallbackMethod(), "fallbackMethod", true);
    }
    if (command.defaultFallback().equals(NO_FALLBACK) && !finder.isThere(NO_FALLBACK)) {
      return null;
    }
    if (!command.defaultFallback().isEmpty()) {
      return finder.find(command.defaultFallback(), "defaultFallback", false);
    }
    return defaults == null
            || defaults.defaultFallback().isEmpty()
            || finder.isOne(defaults.defaultFallback()) // the class's fallback has none itself
        ? null
        : finder.find(defaults.defaultFallback(), "@CommandDefaults defaultFallback", false);
  }

  /** As keys begin: without packages and outer classes. */
  static String simpleName(Class<?> type) {
    String simple = type.getSimpleName();
    return simple.isEmpty()
        ? type.getName().substring(type.getName().lastIndexOf('.') + 1)
        : simple;
  }
}
