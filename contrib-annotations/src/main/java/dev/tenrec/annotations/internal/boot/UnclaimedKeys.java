// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import dev.tenrec.annotations.internal.spring.DeclaredKeys;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.RateLimiterProperties;
import dev.tenrec.core.config.RetryBudgetProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import dev.tenrec.core.internal.config.NearNames;
import dev.tenrec.metrics.view.CommandView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Warns once the context is up, under Boot once the application is ready, of properties that have
 * no effect: those of keys that no command, pool, semaphore or collapser has, and those of Tenrec
 * that there are not. Each is reported once, with the nearest name.
 */
public final class UnclaimedKeys implements ApplicationListener<ApplicationEvent> {

  private static final Logger LOG = LoggerFactory.getLogger(UnclaimedKeys.class);

  /** What Boot registers in the context of an application; there its runners come first. */
  private static final String STARTED_BY_BOOT = "springApplicationArguments";

  private final ApplicationContext context;
  private final ConfigurableEnvironment environment;
  private final EnvironmentSettings settings;
  private final Tenrec tenrec;

  /** Written and read by threads that refresh a context or its settings, ordered by the set. */
  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  /** Looks when {@code context} has been refreshed, and when {@link #warn} is called. */
  public UnclaimedKeys(
      ApplicationContext context,
      ConfigurableEnvironment environment,
      EnvironmentSettings settings,
      Tenrec tenrec) {
    this.context = context;
    this.environment = environment;
    this.settings = settings;
    this.tenrec = tenrec;
  }

  @Override
  public void onApplicationEvent(ApplicationEvent event) {
    boolean isUp =
        context.containsBean(STARTED_BY_BOOT)
            ? event instanceof ApplicationReadyEvent ready
                && ready.getApplicationContext() == context
            : event instanceof ContextRefreshedEvent refreshed
                && refreshed.getApplicationContext() == context;
    if (isUp) {
      warn();
      if (settings.areUnused() && reported.add(settings.prefix())) {
        LOG.warn(
            "The Tenrec of this context is the application's own, and does not go by the {}"
                + " properties of Spring's environment. Leave that bean out and use a"
                + " TenrecCustomizer, or give them to its builder",
            settings.prefix() + ".*");
      }
    }
  }

  /** Warns of what there is and has not been reported. */
  void warn() {
    OwnNames.mistakes(environment).stream().filter(reported::add).forEach(LOG::warn);
    boolean isSure = !settings.keys().mayBeMore();
    unclaimed().stream().filter(reported::add).forEach(isSure ? LOG::warn : LOG::info);
  }

  private List<String> unclaimed() {
    Map<String, Map<String, Set<String>>> spoken = spokenOf();
    if (spoken.isEmpty()) {
      return List.of();
    }
    DeclaredKeys declared = settings.keys();
    List<Pattern> templates = declared.templates().stream().map(UnclaimedKeys::pattern).toList();
    List<String> warnings = new ArrayList<>();
    spoken.forEach(
        (scope, keys) -> {
          Set<String> known = known(scope, declared);
          keys.forEach(
              (key, names) -> {
                if (!known.contains(key)
                    && templates.stream().noneMatch(one -> one.matcher(key).matches())) {
                  List<String> near = NearNames.of(key, known);
                  warnings.add(
                      "No "
                          + scope
                          + " has the key '"
                          + key
                          + (declared.mayBeMore()
                              ? "' yet; unless one comes with this key, these properties have no"
                                  + " effect: "
                              : "' yet, so these properties have no effect: ")
                          + String.join(", ", names)
                          + (near.isEmpty() ? "" : "; nearest key: " + near.get(0)));
                }
              });
        });
    return warnings;
  }

  /** By scope and key, the full keys of the properties there are; those for all left out. */
  private Map<String, Map<String, Set<String>>> spokenOf() {
    Map<String, Map<String, Set<String>>> spoken = new TreeMap<>();
    Set<String> all = new TreeSet<>(tenrec.resolvedSettings().properties().keySet());
    for (List<Property<?>> scope :
        List.of(
            CommandProperties.all(),
            PoolProperties.all(),
            SemaphoreProperties.all(),
            RateLimiterProperties.all(),
            RetryBudgetProperties.all(),
            CollapserProperties.all())) {
      scope.forEach(property -> add(spoken, all, property.scope(), property.name()));
    }
    for (String name : settings.others().keySet()) {
      add(spoken, Set.of(name), "command", name.substring(name.lastIndexOf('.') + 1));
    }
    return spoken;
  }

  private void add(
      Map<String, Map<String, Set<String>>> spoken, Set<String> all, String scope, String name) {
    String start = settings.prefix() + "." + scope + ".";
    String end = "." + name;
    for (String full : all) {
      if (full.startsWith(start)
          && full.endsWith(end)
          && full.length() > start.length() + end.length()) {
        String key = full.substring(start.length(), full.length() - end.length());
        if (!key.equals(Property.GLOBAL)) {
          spoken
              .computeIfAbsent(scope, absent -> new TreeMap<>())
              .computeIfAbsent(key, absent -> new TreeSet<>())
              .add(full);
        }
      }
    }
  }

  private Set<String> known(String scope, DeclaredKeys declared) {
    Set<String> known = new TreeSet<>();
    for (EffectiveSetting setting : tenrec.resolvedSettings().effective()) {
      if (setting.scope().equals(scope)) {
        known.add(setting.key());
      }
    }
    switch (scope) {
      case "command" -> known.addAll(declared.commands());
      case "collapser" -> known.addAll(declared.collapsers());
      case "threadpool" -> {
        known.addAll(declared.pools());
        for (CommandView command : tenrec.commands()) {
          known.add(command.group());
        }
        String override = "." + CommandProperties.THREAD_POOL_KEY_OVERRIDE.name();
        tenrec
            .resolvedSettings()
            .properties()
            .forEach(
                (name, value) -> {
                  if (name.endsWith(override)) {
                    known.add(value.strip());
                  }
                });
      }
      default -> {} // what commands share is there as long as one of them names it
    }
    return known;
  }

  /** What a key with expressions may become. */
  private static Pattern pattern(String template) {
    StringBuilder regex = new StringBuilder();
    int from = 0;
    for (int at = template.indexOf("#{"); at >= 0; at = template.indexOf("#{", from)) {
      regex.append(Pattern.quote(template.substring(from, at))).append(".+");
      int end = template.indexOf('}', at);
      from = end < 0 ? template.length() : end + 1;
    }
    return Pattern.compile(regex + Pattern.quote(template.substring(from)));
  }
}
