// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.RefusalListener;
import dev.tenrec.core.config.ResolvedSettings;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.config.SettingChangeListener;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.config.Subscription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves settings, and keeps them resolved while their source changes. Four levels, highest
 * first:
 *
 * <ol>
 *   <li>the dynamic value of the instance, {@code tenrec.command.GetQuote.circuitBreaker.forceOpen}
 *   <li>what code gave when the command was built
 *   <li>the dynamic global value, {@code tenrec.command.default.circuitBreaker.forceOpen}
 *   <li>the built-in default
 * </ol>
 *
 * <p>A dynamic value that does not parse or breaks its rule is refused: what its key had before
 * stays, at the start nothing. A value that breaks a rule together with others is refused for those
 * instances where it does: the properties the rule names stay as they are, at the start they fall
 * to the next level. All else that the change brings applies. A refused value counts as soon as a
 * later change makes it good.
 *
 * <p>Thread-safe: changes are applied one after the other, each on the thread that brought it.
 */
public final class Configuration implements AutoCloseable {

  /** What property keys begin with, unless another prefix is chosen. */
  public static final String DEFAULT_PREFIX = "tenrec";

  private static final Logger LOG = LoggerFactory.getLogger(Configuration.class);

  private final SettingsSource source;
  private final String prefix;
  private final SettingChangeListener changes;
  private final Refusals refusals;
  private final Origins origins;
  private final ReconfigurationLock lock = new ReconfigurationLock(this::catchUp);
  private final ScopeSettings<CommandSettings> commands;
  private final ScopeSettings<PoolSettings> pools;
  private final ScopeSettings<SemaphoreSettings> semaphores;
  private final ScopeSettings<RateSettings> rateLimiters;
  private final ScopeSettings<RetryBudgetSettings> retryBudgets;
  private final ScopeSettings<CollapserSettings> collapsers;
  private final List<ScopeSettings<?>> scopes;
  private final StrayKeys strays;

  /** Read and written under the configuration's lock only. */
  private final Interner<CodeSettings> codes = new Interner<>();

  /**
   * The source's values as they were last looked at. Read and written under the configuration's
   * lock only.
   */
  private Map<String, String> known = Map.of();

  /** Written by the closing thread, without that lock; read under it. */
  private volatile boolean closed;

  /** Written once, before another thread has the configuration. */
  private Subscription subscription = () -> {};

  private Configuration(
      SettingsSource source,
      String prefix,
      RefusalListener refusalListener,
      SettingChangeListener changes) {
    this.source = source;
    this.prefix = prefix;
    this.changes = Objects.requireNonNull(changes, "changes");
    this.refusals = new Refusals(Objects.requireNonNull(refusalListener, "refusals"), lock);
    this.origins = new Origins(source, lock);
    this.commands = new ScopeSettings<>(CommandSettings.SCOPE, prefix, lock, refusals, origins);
    this.pools = new ScopeSettings<>(PoolSettings.SCOPE, prefix, lock, refusals, origins);
    this.semaphores = new ScopeSettings<>(SemaphoreSettings.SCOPE, prefix, lock, refusals, origins);
    this.rateLimiters = new ScopeSettings<>(RateSettings.SCOPE, prefix, lock, refusals, origins);
    this.retryBudgets =
        new ScopeSettings<>(RetryBudgetSettings.SCOPE, prefix, lock, refusals, origins);
    this.collapsers = new ScopeSettings<>(CollapserSettings.SCOPE, prefix, lock, refusals, origins);
    this.scopes = List.of(commands, pools, semaphores, rateLimiters, retryBudgets, collapsers);
    this.strays =
        new StrayKeys(prefix, scopes.stream().<Scope<?>>map(ScopeSettings::scope).toList());
  }

  /**
   * A configuration from {@code source}, under the prefix {@code tenrec}, that reports refusals to
   * the log, and changes to no listener.
   */
  public static Configuration open(SettingsSource source) {
    return open(source, DEFAULT_PREFIX, RefusalListener.NONE, SettingChangeListener.NONE);
  }

  /**
   * A configuration from {@code source}, which stays the caller's to close.
   *
   * @param prefix what keys begin with, without the dot that follows it, as {@code tenrec} or
   *     {@code hystrix}
   * @param refusals receives values that were refused, those of the start included
   * @param changes receives settings that changed
   * @throws IllegalArgumentException if the prefix is blank, or has a blank or a dot at one of its
   *     ends
   */
  public static Configuration open(
      SettingsSource source,
      String prefix,
      RefusalListener refusals,
      SettingChangeListener changes) {
    if (prefix.isBlank()
        || !prefix.equals(prefix.strip())
        || prefix.startsWith(".")
        || prefix.endsWith(".")) {
      throw new IllegalArgumentException(
          "The prefix of property keys must be a name without blanks or dots at its ends, but is '"
              + prefix
              + "'");
    }
    Configuration configuration = new Configuration(source, prefix, refusals, changes);
    configuration.start();
    return configuration;
  }

  private void start() {
    apply(source.values(prefix));
    subscription = source.subscribe(lock::catchUp);
    lock.catchUp(); // what changed between the look and the subscription
  }

  /**
   * Settings of the command {@code key}.
   *
   * @param code what code sets
   * @param owner takes over the new settings at each change that makes a difference; they are
   *     current already when it is to go by them. What it throws refuses them.
   * @throws InvalidSettingException if what code sets breaks a rule between properties
   * @throws IllegalArgumentException if the key is blank or {@code default}
   */
  public LiveSettings<CommandSettings> command(
      String key, CodeSettings code, SettingsOwner<CommandSettings> owner) {
    return lock.take(() -> commands.register(key, code, owner));
  }

  /**
   * The settings that code gave for a command, as the one object that stands for all equal ones:
   * commands are many, and most of them are given equal settings.
   */
  public CodeSettings shared(CodeSettings command) {
    return lock.take(() -> codes.shared(command));
  }

  /** Settings of the pool {@code key}; all else as for {@link #command}. */
  public LiveSettings<PoolSettings> pool(
      String key, CodeSettings code, SettingsOwner<PoolSettings> owner) {
    return lock.take(() -> pools.register(key, code, owner));
  }

  /**
   * Checks what {@link #pool} would be given, so that a pool that is made later can be made.
   *
   * @throws InvalidSettingException if what code sets breaks a rule between properties
   * @throws IllegalArgumentException if the key is blank or {@code default}
   */
  public void checkPool(String key, CodeSettings code) {
    Values unused = lock.take(() -> pools.check(key, code));
  }

  /** Settings of the shared semaphore {@code name}; all else as for {@link #command}. */
  public LiveSettings<SemaphoreSettings> semaphore(
      String name, CodeSettings code, SettingsOwner<SemaphoreSettings> owner) {
    return lock.take(() -> semaphores.register(name, code, owner));
  }

  /** Settings of the shared rate limiter {@code name}; all else as for {@link #command}. */
  public LiveSettings<RateSettings> rateLimiter(
      String name, CodeSettings code, SettingsOwner<RateSettings> owner) {
    return lock.take(() -> rateLimiters.register(name, code, owner));
  }

  /** Settings of the shared budget {@code name}; all else as for {@link #command}. */
  public LiveSettings<RetryBudgetSettings> retryBudget(
      String name, CodeSettings code, SettingsOwner<RetryBudgetSettings> owner) {
    return lock.take(() -> retryBudgets.register(name, code, owner));
  }

  /**
   * Checks what code says about the collapser {@code key}, before there is one.
   *
   * @throws IllegalArgumentException if the key cannot be one, or code breaks a rule
   */
  public void checkCollapser(String key, CodeSettings code) {
    Values unused = lock.take(() -> collapsers.check(key, code));
  }

  /** Settings of the collapser {@code key}; all else as for {@link #command}. */
  public LiveSettings<CollapserSettings> collapser(
      String key, CodeSettings code, SettingsOwner<CollapserSettings> owner) {
    return lock.take(() -> collapsers.register(key, code, owner));
  }

  /**
   * Runs {@code action} while no change is applied: what it registers and what it makes of that are
   * seen together. Nested calls are fine.
   *
   * @return what the action returned
   */
  public <T> T inTurn(Supplier<T> action) {
    return lock.take(action);
  }

  /** Under the lock: runs {@code report}, which is user code, once it is released. */
  public void afterwards(Runnable report) {
    lock.afterwards(report);
  }

  /** How the source stands to its store; null if it has none, or fails to say so. */
  public @Nullable SourceStatus sourceStatus() {
    try {
      return source.status();
    } catch (RuntimeException | Error thrown) {
      LOG.error("The source of settings failed to say how it stands to its store", thrown);
      return null;
    }
  }

  /** The source's values as they were last looked at, and what came of them. */
  public ResolvedSettings resolved() {
    return lock.take(
        () -> {
          List<EffectiveSetting> effective = new ArrayList<>();
          scopes.forEach(scope -> effective.addAll(scope.effective()));
          List<Refusal> refused =
              refusals.standing().stream().filter(refusal -> stands(refusal)).toList();
          Map<String, String> properties = new HashMap<>();
          known.forEach(
              (key, value) -> {
                if (key != null && value != null) {
                  properties.put(key, value);
                }
              });
          return new ResolvedSettings(Map.copyOf(properties), List.copyOf(effective), refused);
        });
  }

  private boolean stands(Refusal refusal) {
    return scopes.stream()
        .filter(scope -> scope.owns(refusal.key()))
        .allMatch(scope -> scope.stands(refusal));
  }

  /** How many dynamic values were refused so far; one that stays counts once. */
  public long refusedCount() {
    return refusals.count();
  }

  /** What property keys begin with. */
  public String prefix() {
    return prefix;
  }

  /** From now on settings stay as they are. Waits for nothing: a change may be on its way. */
  public void freeze() {
    closed = true;
  }

  /**
   * Stops following the source, which it does not close. Settings stay as they are. Idempotent.
   * Waits for as long as the source does.
   */
  @Override
  public void close() {
    freeze();
    subscription.close();
  }

  private void catchUp() {
    if (closed) {
      return;
    }
    Map<String, String> now;
    try {
      now = source.values(prefix);
    } catch (RuntimeException | Error thrown) {
      lock.afterwards(
          () -> LOG.error("The source of settings failed; all stay as they are", thrown));
      return;
    }
    apply(now);
  }

  private void apply(Map<String, String> now) {
    Set<String> changed = changed(known, now);
    known = now;
    origins.look(changed, now);
    for (String fullKey : changed) {
      refusals.forget(fullKey);
      change(fullKey, now.get(fullKey));
    }
    // all are checked before the first can be seen, all are current before the first owner goes by
    // them, and all owners do before the first is reported
    List<SettingsUpdate<?>> transitions = new ArrayList<>();
    scopes.forEach(scope -> transitions.addAll(scope.resolve()));
    if (closed) {
      transitions.forEach(SettingsUpdate::discard);
      return;
    }
    transitions.forEach(SettingsUpdate::publish);
    transitions.removeIf(transition -> !transition.apply());
    List<SettingChange> made = new ArrayList<>();
    transitions.forEach(transition -> made.addAll(transition.changes()));
    if (!made.isEmpty()) {
      // each by itself: a back end that throws must not keep the journal from it
      lock.afterwards(() -> ChangeLog.log(made));
      made.forEach(change -> lock.afterwards(() -> report(change)));
    }
  }

  private void report(SettingChange change) {
    try {
      changes.onChange(change);
    } catch (RuntimeException | Error thrown) {
      LOG.error("A listener threw at {}", change, thrown);
    }
  }

  private void change(String fullKey, @Nullable String text) {
    for (ScopeSettings<?> scope : scopes) {
      if (scope.owns(fullKey)) {
        scope.change(fullKey, text);
        return;
      }
    }
    String mistake = text == null ? null : strays.mistake(fullKey);
    if (text != null && mistake != null) {
      refusals.refuseUnknown(new Refusal(fullKey, text, mistake, origins.of(fullKey)));
    }
  }

  private static Set<String> changed(Map<String, String> before, Map<String, String> after) {
    Set<String> changed = new HashSet<>();
    after.forEach(
        (key, value) -> {
          // a source that has nothing under a key may say so by null
          if (key != null && value != null && !value.equals(before.get(key))) {
            changed.add(key);
          }
        });
    before
        .keySet()
        .forEach(
            key -> {
              if (key != null && after.get(key) == null) {
                changed.add(key);
              }
            });
    return changed;
  }
}
