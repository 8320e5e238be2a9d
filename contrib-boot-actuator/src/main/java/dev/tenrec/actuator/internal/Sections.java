// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What can be read below the endpoint, by the names of its sections. */
final class Sections {

  static final List<String> NAMES =
      List.of(
          "commands",
          "pools",
          "semaphores",
          "ratelimiters",
          "retrybudgets",
          "collapsers",
          "journal",
          "explain",
          "settings");

  private final Tenrec tenrec;

  Sections(Tenrec tenrec) {
    this.tenrec = tenrec;
  }

  /** How many there are of each, and which circuits refuse calls. */
  Map<String, Object> overview() {
    CircuitReport circuits = CircuitReport.of(tenrec);
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("commands", tenrec.commands().size());
    shown.put("pools", tenrec.pools().size());
    shown.put("semaphores", tenrec.semaphores().size());
    shown.put("ratelimiters", tenrec.rateLimiters().size());
    shown.put("retrybudgets", tenrec.retryBudgets().size());
    shown.put("collapsers", tenrec.collapsers().size());
    shown.put("threads", tenrec.liveThreads());
    shown.put("refusedSettings", tenrec.refusedSettings());
    shown.put("refusedCallbacks", tenrec.refusedCallbacks());
    shown.putAll(circuits.details());
    shown.put("sections", NAMES);
    return shown;
  }

  /** All of one section; null if there is no such section. */
  @Nullable Object all(String section) {
    return switch (section) {
      case "commands" -> Map.of(section, tenrec.commands().stream().map(Shown::command).toList());
      case "pools" -> Map.of(section, tenrec.pools().stream().map(Shown::pool).toList());
      case "semaphores" ->
          Map.of(section, tenrec.semaphores().stream().map(Shown::semaphore).toList());
      case "ratelimiters" ->
          Map.of(section, tenrec.rateLimiters().stream().map(Shown::rateLimiter).toList());
      case "retrybudgets" ->
          Map.of(section, tenrec.retryBudgets().stream().map(Shown::retryBudget).toList());
      case "collapsers" ->
          Map.of(section, tenrec.collapsers().stream().map(Shown::collapser).toList());
      case "journal" -> Map.of(section, Shown.journal(tenrec.journal()));
      case "explain" -> Map.of(section, explanations());
      case "settings" -> Map.of(section, settings(null));
      default -> null;
    };
  }

  /** What a section says of one key; null if there is neither. */
  @Nullable Object one(String section, String key) {
    return switch (section) {
      case "commands" -> find(tenrec.commands(), CommandDetails::key, key, Shown::wholeCommand);
      case "pools" ->
          find(
              tenrec.pools(),
              PoolDetails::key,
              key,
              pool -> Shown.withSettings(Shown.pool(pool), pool.settings()));
      case "semaphores" ->
          find(
              tenrec.semaphores(),
              SemaphoreDetails::name,
              key,
              each -> Shown.withSettings(Shown.semaphore(each), each.settings()));
      case "ratelimiters" ->
          find(
              tenrec.rateLimiters(),
              RateLimiterDetails::name,
              key,
              each -> Shown.withSettings(Shown.rateLimiter(each), each.settings()));
      case "retrybudgets" ->
          find(
              tenrec.retryBudgets(),
              RetryBudgetDetails::name,
              key,
              each -> Shown.withSettings(Shown.retryBudget(each), each.settings()));
      case "collapsers" ->
          find(
              tenrec.collapsers(),
              CollapserDetails::key,
              key,
              each -> Shown.withSettings(Shown.collapser(each), each.settings()));
      case "journal" -> Map.of(section, Shown.journal(journal(key)));
      case "explain" ->
          find(
              tenrec.commands(),
              CommandDetails::key,
              key,
              command -> Map.of("key", key, "explanation", command.explain()));
      case "settings" -> Map.of(section, settings(key));
      default -> null;
    };
  }

  private static <V> @Nullable Object find(
      List<V> views, Function<V, String> keyOf, String key, Function<V, Object> shown) {
    for (V view : views) {
      if (keyOf.apply(view).equals(key)) {
        return shown.apply(view);
      }
    }
    return null;
  }

  private List<JournalEntry> journal(String key) {
    return tenrec.journal().stream().filter(entry -> entry.key().equals(key)).toList();
  }

  private Map<String, String> explanations() {
    Map<String, String> texts = new TreeMap<>();
    tenrec.commands().forEach(command -> texts.put(command.key(), command.explain()));
    return texts;
  }

  private List<Map<String, @Nullable Object>> settings(@Nullable String key) {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    tenrec.commands().forEach(each -> add(all, "command", each.key(), key, each.settings()));
    tenrec.pools().forEach(each -> add(all, "threadpool", each.key(), key, each.settings()));
    tenrec.semaphores().forEach(each -> add(all, "semaphore", each.name(), key, each.settings()));
    tenrec
        .rateLimiters()
        .forEach(each -> add(all, "ratelimiter", each.name(), key, each.settings()));
    tenrec
        .retryBudgets()
        .forEach(each -> add(all, "retrybudget", each.name(), key, each.settings()));
    tenrec.collapsers().forEach(each -> add(all, "collapser", each.key(), key, each.settings()));
    return all;
  }

  private static void add(
      List<Map<String, @Nullable Object>> all,
      String scope,
      String key,
      @Nullable String wanted,
      List<EffectiveSetting> settings) {
    if (wanted == null || wanted.equals(key)) {
      Map<String, @Nullable Object> shown = new LinkedHashMap<>();
      shown.put("scope", scope);
      shown.put("key", key);
      all.add(Shown.withSettings(shown, settings));
    }
  }
}
