// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.fleet.model.MemberReport.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks settings by every property's rule, and by the rules between properties, as instances
 * would: a Tenrec of its own is given them, with a command, pool, semaphore, rate limiter or budget
 * for each key that they name.
 */
public final class RuleCheck {

  private RuleCheck() {}

  /**
   * What a full key stands for.
   *
   * @param key of the command, pool, semaphore, rate limiter or collapser; {@code default} for all
   * @param property the property
   */
  public record Place(String key, Property<?> property) {}

  /** Takes a full key in its one {@link Spelling} apart; null if it names no property. */
  public static @Nullable Place place(String prefix, String fullKey) {
    for (List<Property<?>> scope : Spelling.SCOPES) {
      String path = prefix + "." + scope.get(0).scope() + ".";
      for (Property<?> property : scope) {
        String end = "." + property.name();
        if (fullKey.startsWith(path)
            && fullKey.endsWith(end)
            && fullKey.length() > path.length() + end.length()) {
          return new Place(
              fullKey.substring(path.length(), fullKey.length() - end.length()), property);
        }
      }
    }
    return null;
  }

  /**
   * What would be refused of these settings, and why.
   *
   * @param settings in the one {@link Spelling} of their keys
   */
  public static List<Refused> check(String prefix, Map<String, String> settings) {
    Map<String, Refused> refused = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          if (value.contains("${")) {
            refused.put(key, new Refused(key, Merge.NO_PLACEHOLDERS));
          } else if (!key.startsWith(prefix + ".")) {
            refused.put(key, new Refused(key, "must begin with " + prefix + "."));
          } else if (place(prefix, key) == null) {
            refused.put(key, new Refused(key, "names no property"));
          }
        });
    try (Tenrec trial = Tenrec.builder().prefix(prefix).source(new Fixed(settings)).build()) {
      build(trial, prefix, settings.keySet());
      for (Refusal refusal : trial.resolvedSettings().refusals()) {
        Refused before = refused.get(refusal.key());
        refused.put(
            refusal.key(),
            before == null || place(prefix, refusal.key()) == null
                ? new Refused(refusal.key(), refusal.rule())
                : before);
      }
    }
    return new ArrayList<>(refused.values());
  }

  private static void build(Tenrec trial, String prefix, Set<String> fullKeys) {
    Set<String> built = new TreeSet<>();
    for (String fullKey : fullKeys) {
      Place place = place(prefix, fullKey);
      if (place == null
          || place.key().isBlank()
          || !built.add(place.property().scope() + place.key())) {
        continue;
      }
      String key = place.key().equals(Property.GLOBAL) ? "tenrec-any" : place.key();
      String name = place.property().scope() + " " + key;
      switch (place.property().scope()) {
        case "threadpool" -> // is made by its first call
            trial
                .command(name, (String s) -> s)
                .isolation(Isolation.threadPool().key(key))
                .property(CommandProperties.FORCE_OPEN.name(), "false")
                .build()
                .attempt("");
        case "semaphore" ->
            trial
                .command(name, (String s) -> s)
                .isolation(Isolation.semaphore(1).shared(key))
                .build();
        case "ratelimiter" ->
            trial
                .command(name, (String s) -> s)
                .rateLimit(RateLimit.of(1, Duration.ofSeconds(1)).shared(key))
                .build();
        case "retrybudget" ->
            trial.command(name, (String s) -> s).retry(Retry.attempts(2).sharedBudget(key)).build();
        case "collapser" ->
            trial.collapser(key, (List<String> batch) -> Map.<String, String>of()).build();
        default -> {
          if (trial.commands().stream().noneMatch(view -> view.key().equals(key))) {
            trial.command(key, (String s) -> s).build();
          }
        }
      }
    }
  }

  private record Fixed(Map<String, String> settings) implements SettingsSource {

    @Override
    public Map<String, String> values(String prefix) {
      return settings;
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      return () -> {};
    }

    @Override
    public void close() {}
  }
}
