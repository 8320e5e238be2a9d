// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.engine.Definition;
import dev.tenrec.core.internal.engine.NamedShare;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What can be set for commands, stream commands, guards and collapsers when they are built, and
 * once for several of them ({@link SharedSettings}). Settings given here rank below the dynamic
 * properties of this command's key and above the dynamic global ones; each is checked when it is
 * given.
 *
 * <p>Not thread-safe; used once.
 *
 * @param <B> the builder itself
 */
public abstract sealed class CommandOptions<B extends CommandOptions<B>>
    permits CommandBuilder,
        GuardBuilder,
        CollapserBuilder,
        StreamCommandBuilder,
        SharedSettings.Builder {

  final String key;
  private final CodeSettings.Builder settings;
  private @Nullable String group;
  private @Nullable Isolation isolation;
  private @Nullable RateLimit rateLimit;
  private @Nullable Boolean stackTraces;
  private Predicate<Throwable> ignored = Classification.NOTHING_IGNORED;

  CommandOptions(String key) {
    this.key = Objects.requireNonNull(key, "key");
    this.settings = CodeSettings.command().of(key);
  }

  abstract B self();

  /**
   * The group it belongs to, for display; commands of one group share a thread pool unless one is
   * named. Default: the command's key.
   */
  public B group(String group) {
    this.group = Objects.requireNonNull(group, "group");
    return self();
  }

  /**
   * Where the work runs, and how many calls may be in flight. Default: a thread pool; for
   * asynchronous work and streams a semaphore of 10.
   */
  public B isolation(Isolation isolation) {
    Objects.requireNonNull(isolation, "isolation");
    isolation.check(key, group != null ? group : key); // what breaks a rule is thrown here
    this.isolation = isolation;
    return self();
  }

  /**
   * The time from the call to the answer of its work, waiting for a thread included. Default one
   * second.
   */
  public B timeout(Duration timeout) {
    settings.set(CommandProperties.TIMEOUT_ENABLED, true);
    return set(CommandProperties.TIMEOUT, timeout);
  }

  /** The work may take as long as it likes. */
  public B withoutTimeout() {
    return set(CommandProperties.TIMEOUT_ENABLED, false);
  }

  /**
   * A call ends by the deadline of the call that it is made in, if that comes before its own
   * time-out, and is not begun after it; and its work hands its own deadline on to the calls it
   * makes. See {@link Deadline}. Default: it does not.
   */
  public B withDeadline() {
    return set(CommandProperties.DEADLINE_ENABLED, true);
  }

  /** How many fallbacks may run at once. Default 10. */
  public B fallbackLimit(int maxConcurrent) {
    return set(CommandProperties.FALLBACK_MAX_CONCURRENT, maxConcurrent);
  }

  /** Every call goes through, whatever became of those before it. */
  public B withoutCircuitBreaker() {
    return set(CommandProperties.BREAKER_ENABLED, false);
  }

  /**
   * When the circuit opens.
   *
   * @param percentage the share of failed, timed-out, rejected and slow calls, 1 to 100. Default 50
   * @param volume how many calls of the rolling window must have ended before it is looked at, 1 or
   *     more. Default 20
   */
  public B errorThreshold(int percentage, int volume) {
    settings.set(CommandProperties.REQUEST_VOLUME_THRESHOLD, volume);
    return set(CommandProperties.ERROR_THRESHOLD_PERCENTAGE, percentage);
  }

  /**
   * How long an open circuit refuses every call before it lets a trial through. Default five
   * seconds.
   */
  public B sleepWindow(Duration time) {
    return set(CommandProperties.SLEEP_WINDOW, time);
  }

  /**
   * How many trials may be in flight when half-open, and how many must succeed to close. Default 1,
   * at most 64.
   */
  public B halfOpenTrials(int trials) {
    return set(CommandProperties.HALF_OPEN_TRIALS, trials);
  }

  /**
   * A success that took longer counts for the circuit breaker as an error does. Default: none does.
   */
  public B slowCall(Duration time) {
    return set(CommandProperties.SLOW_CALL, time);
  }

  /**
   * How many calls may begin in a time: so many in each period, evenly spread, and so many at once
   * after a silence. A call beyond is refused at once, and goes to the fallback. Short for {@code
   * rateLimit(RateLimit.of(permits, period).burst(burst))}. Default: no limit.
   *
   * @param permits how many in each period, 1 or more
   * @param period more than 0
   * @param burst how many at once, 1 or more
   */
  public B rateLimit(int permits, Duration period, int burst) {
    return rateLimit(RateLimit.of(permits, period).burst(burst));
  }

  /**
   * How many calls may begin in a time; may be shared with other commands. Calls that an open
   * circuit refuses spend no permit; calls that find no room in the bulkhead do. Default: no limit.
   */
  public B rateLimit(RateLimit limit) {
    limit.addTo(CodeSettings.command().of(key)); // what breaks a rule is thrown here
    rateLimit = limit;
    return self();
  }

  /**
   * Exceptions of these types (and their subtypes) are the caller's fault: they reach it as they
   * are, without fallback, and do not count against the dependency.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // copied, and only read
  public final B ignore(Class<? extends Throwable>... types) {
    List<Class<? extends Throwable>> faults = List.of(types);
    return ignoreIf(thrown -> faults.stream().anyMatch(type -> type.isInstance(thrown)));
  }

  /**
   * Exceptions that {@code fault} accepts are the caller's fault, in addition to those given
   * before: they reach the caller as they are, without fallback, and do not count against the
   * dependency. If {@code fault} throws, the execution fails with what it threw.
   */
  public B ignoreIf(Predicate<? super Throwable> fault) {
    Predicate<Throwable> before = ignored;
    Objects.requireNonNull(fault, "fault");
    ignored =
        before == Classification.NOTHING_IGNORED
            ? fault::test
            : thrown -> before.test(thrown) || fault.test(thrown);
    return self();
  }

  /**
   * Whether Tenrec's own exceptions (time-out, rejection, and so on) have a stack trace. Default
   * false: they say which command, which limit and which value.
   */
  public B stackTraces(boolean filled) {
    stackTraces = filled;
    return self();
  }

  /**
   * Sets a property by its type. It beats what {@code isolation} and {@code rateLimit} imply, in
   * either order; what {@code retry} and {@code hedge} of a command say beats it.
   */
  public <T> B set(Property<T> property, T value) {
    settings.set(property, value);
    return self();
  }

  /**
   * Sets a property by its name, as in {@code docs/reference/configuration.md}: {@code
   * property("circuitBreaker.forceOpen", "true")}. It beats what {@code isolation} and {@code
   * rateLimit} imply, in either order; what {@code retry} and {@code hedge} of a command say beats
   * it.
   *
   * @throws IllegalArgumentException if there is no such property, or the value breaks its rule
   */
  public B property(String name, String value) {
    settings.set(name, value);
    return self();
  }

  /**
   * Sets all that these settings have set. What was set here before stays where they say nothing;
   * what is set after this replaces theirs. Exceptions that they ignore are ignored in addition.
   */
  public B settings(SharedSettings shared) {
    settings.addAll(shared.properties());
    group = shared.group() != null ? shared.group() : group;
    isolation = shared.isolation() != null ? shared.isolation() : isolation;
    rateLimit = shared.rateLimit() != null ? shared.rateLimit() : rateLimit;
    stackTraces = shared.stackTraces() != null ? shared.stackTraces() : stackTraces;
    Predicate<Throwable> faults = shared.ignored();
    return faults == Classification.NOTHING_IGNORED ? self() : ignoreIf(faults);
  }

  Predicate<Throwable> ignored() {
    return ignored;
  }

  /** What was set so far, to be given to others. */
  SharedSettings shared() {
    return new SharedSettings(settings.build(), group, isolation, rateLimit, stackTraces, ignored);
  }

  /**
   * All that was said.
   *
   * @param otherwise where the work runs if nothing was said of that; null leaves it to the levels
   *     below code
   */
  Definition definition(@Nullable IsolationStrategy otherwise) {
    Isolation chosen = isolation;
    CodeSettings.Builder all = CodeSettings.command().of(key);
    if (chosen != null) {
      chosen.addTo(all);
    } else if (otherwise != null) {
      all.set(CommandProperties.ISOLATION_STRATEGY, otherwise);
    }
    String groupKey = group != null ? group : key;
    CodeSettings pool = CodeSettings.pool().build();
    String poolKey = groupKey;
    if (chosen instanceof Isolation.ThreadPool threadPool) {
      poolKey = threadPool.key() != null ? threadPool.key() : groupKey;
      pool = threadPool.settings(poolKey);
    }
    NamedShare semaphore = null;
    if (chosen instanceof Isolation.Semaphore shared && shared.sharedName() != null) {
      semaphore = new NamedShare(shared.sharedName(), shared.settings(shared.sharedName()));
    }
    NamedShare rate = null;
    if (rateLimit != null) {
      rateLimit.addTo(all);
      String name = rateLimit.sharedName();
      rate = name == null ? null : new NamedShare(name, rateLimit.settings(name));
    }
    // what was set by property beats what the isolation and the rate limit imply
    CodeSettings command = all.addAll(settings.build()).build();
    return new Definition(
        groupKey,
        command,
        poolKey,
        pool,
        semaphore,
        rate,
        null,
        null,
        Boolean.TRUE.equals(stackTraces));
  }
}
