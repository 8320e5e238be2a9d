// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.RetryBudgetProperties;
import dev.tenrec.core.internal.attempt.Retries;
import dev.tenrec.core.internal.attempt.Rounds;
import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.call.FurtherAttempts;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.engine.Definition;
import dev.tenrec.core.internal.engine.NamedShare;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.engine.SharedBudgets;
import dev.tenrec.core.internal.sharing.CacheGate;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.CommandDefinition;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.core.work.FallbackValue;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds one command. See {@link CommandOptions} for what it shares with guards.
 *
 * @param <A> what the command is called with
 * @param <R> what it returns
 */
public final class CommandBuilder<A extends @Nullable Object, R extends @Nullable Object>
    extends CommandOptions<CommandBuilder<A, R>> {

  private final Tenrec tenrec;
  private final WorkBody<A, R> body;
  private @Nullable Fallback<A, R> fallback;
  private @Nullable Function<? super A, ? extends @Nullable Object> cacheKey;
  private @Nullable Function<? super A, ? extends @Nullable Object> rateKey;
  private Predicate<@Nullable Object> failedResult = Classification.ANY_RESULT;
  private @Nullable Retry retry;
  private @Nullable Hedge hedge;

  CommandBuilder(Tenrec tenrec, String key, WorkBody<A, R> body) {
    super(key);
    this.tenrec = tenrec;
    this.body = body;
    CommandDefinition<A, R> definition = definition(body);
    if (definition != null && overrides(definition, "fallback", Object.class, Throwable.class)) {
      fallback = definition::fallback;
    }
    if (definition != null && overrides(definition, "cacheKey", Object.class)) {
      cacheKey = definition::cacheKey;
    }
  }

  @Override
  CommandBuilder<A, R> self() {
    return this;
  }

  /**
   * What answers when the work does not: it failed, timed out, was rejected, or the circuit was
   * open.
   *
   * <p>Not asked for bad requests and ignored exceptions; for exceptions marked {@link
   * dev.tenrec.core.outcome.NoFallback}; for errors of the JVM ({@link VirtualMachineError}, {@link
   * LinkageError}, {@code ThreadDeath}); and for calls that were given up: their caller cancelled
   * them or was interrupted, or their Tenrec was closed.
   */
  public CommandBuilder<A, R> fallback(Fallback<A, R> fallback) {
    this.fallback = Objects.requireNonNull(fallback, "fallback");
    return this;
  }

  /**
   * Answers with this value when the work does not. It is there already, so nothing runs: it takes
   * no permit ({@link #fallbackLimit} does not bound it), cannot fail or be late, and is counted as
   * any fallback. It needs no thread, so it answers on time whatever is blocked. Replaces a
   * fallback given before, as that would replace this.
   *
   * @param value the one object that every caller gets; null is a legal one
   */
  public CommandBuilder<A, R> fallbackValue(R value) {
    return fallback(new FallbackValue<>(value));
  }

  /**
   * Calls of one request with equal keys share one run, and its answer or failure. They need an
   * open request: without one the call fails with an IllegalStateException. Commands built for one
   * key share its entries, and so have to give equal answers for equal cache keys.
   *
   * @param cacheKey the key of an argument, compared by equals; null for a call that shares
   *     nothing. Runs on the caller's thread, once per call; what it throws fails the call, as a
   *     bad request
   */
  public CommandBuilder<A, R> cacheKey(Function<? super A, ? extends @Nullable Object> cacheKey) {
    this.cacheKey = Objects.requireNonNull(cacheKey, "cacheKey");
    return this;
  }

  /**
   * Limits the rate of each key by itself, as of each tenant. At most {@code rateLimiter.maxKeys}
   * keys have a rate of their own; further keys share one, so that many keys bring no more permits.
   * A key makes place for another one only when all its permits are there again. Without effect
   * where no rate is limited.
   *
   * @param key the key of an argument, compared by equals; null is a key as any other. Runs once
   *     for each attempt that its circuit lets through: on the calling thread; for hedges, and for
   *     retries whose caller does not wait, on a callback thread with the caller's context. An
   *     exception that it throws fails the call, as a bad request; an error is a failure. Where it
   *     throws for a hedge, that does not begin
   */
  public CommandBuilder<A, R> rateLimitKey(Function<? super A, ? extends @Nullable Object> key) {
    this.rateKey = Objects.requireNonNull(key, "key");
    return this;
  }

  /**
   * Results this accepts count as failures: for the circuit breaker, and so that the fallback
   * answers. Without a fallback the caller gets a FailedResultException that has the result.
   */
  @SuppressWarnings("unchecked") // it only sees results of this command
  public CommandBuilder<A, R> failIf(Predicate<? super R> failed) {
    Objects.requireNonNull(failed, "failed");
    failedResult = result -> failed.test((R) result);
    return this;
  }

  /**
   * Attempts a call again whose work failed, within the command's time-out and on a budget. Only
   * for work that may be done twice: see {@link Retry}. Default: none is.
   *
   * <p>It lies inside the request cache, which remembers the last ending, and before the fallback,
   * which answers after the last attempt. Its figures are settings ({@code retry.*}), so commands
   * built for one key have equal ones, and share the budget; what is retried each says for itself.
   */
  public CommandBuilder<A, R> retry(Retry retry) {
    this.retry = Objects.requireNonNull(retry, "retry");
    return this;
  }

  /**
   * Begins a further attempt beside one whose work is slow, on a budget; the first success answers.
   * Only for work that may be done twice, even at the same time: see {@link Hedge}. Default: none.
   *
   * <p>For work on a thread pool, on virtual threads, and for asynchronous work anywhere, whose
   * hedges are started on a callback thread of the command. Work on its caller's own thread cannot
   * be hedged: such a command is not built, and where its isolation is changed to that later, its
   * calls go on unhedged.
   *
   * <p>With a {@link #retry}, the attempts of a call come in rounds. A round is an attempt and the
   * hedges beside it; when all of them have failed, the retry decides whether another round
   * follows. Attempts and hedges together are at most the {@code attempts} of the retry; each retry
   * and each hedge is drawn on its budget.
   *
   * <p>It lies inside the request cache, and before the fallback, as a retry does. Its figures are
   * settings ({@code hedge.*}), so commands built for one key have equal ones, and share the
   * budget.
   */
  public CommandBuilder<A, R> hedge(Hedge hedge) {
    this.hedge = Objects.requireNonNull(hedge, "hedge");
    return this;
  }

  /**
   * The command. If its key was built before with equal settings, both share their circuit breaker,
   * permits and metrics.
   *
   * @throws IllegalArgumentException if a setting breaks a rule; the message says which, its value,
   *     and the rule. Virtual threads on a JVM without them are one, a hedge of work on its
   *     caller's own thread is another
   * @throws IllegalStateException if the key was built before with other settings, if there are as
   *     many keys as allowed, or if this Tenrec is closed
   */
  public Command<A, R> build() {
    if (retry != null) {
      addSettings(retry);
    }
    if (hedge != null) {
      addSettings(hedge);
    }
    IsolationStrategy otherwise = body.isStaged() ? IsolationStrategy.SEMAPHORE : null;
    Definition definition = definition(otherwise).withBudgets(budget(retry), budget(hedge));
    requireHedgeable(definition.command().get(CommandProperties.ISOLATION_STRATEGY));
    Registry.Entry entry =
        tenrec
            .registry()
            .command(key, definition, settings -> requireHedgeable(settings.isolationStrategy()));
    Classification classification = new Classification(ignored(), failedResult);
    return new Command<>(
        new Pipeline<>(
            entry.runtime(),
            tenrec.prelude().to(body),
            fallback,
            classification,
            CacheGate.by(cacheKey),
            rateKey,
            furtherAttempts(entry.budgets())));
  }

  private @Nullable Function<Pipeline<A, R>, FurtherAttempts> furtherAttempts(
      SharedBudgets budgets) {
    return hedge == null
        ? Retries.by(retry, budgets.retries())
        : Rounds.by(retry, budgets.retries(), budgets.hedges());
  }

  private static @Nullable NamedShare budget(@Nullable Retry retry) {
    return retry == null || retry.sharedBudget() == null
        ? null
        : budget(
            retry.sharedBudget(),
            retry.hasOwnBudget(),
            retry.budgetPercent(),
            retry.budgetPerSecond());
  }

  private static @Nullable NamedShare budget(@Nullable Hedge hedge) {
    return hedge == null || hedge.sharedBudget() == null
        ? null
        : budget(
            hedge.sharedBudget(),
            hedge.hasOwnBudget(),
            hedge.budgetPercent(),
            hedge.budgetPerSecond());
  }

  private static NamedShare budget(String name, boolean hasFigures, int percent, int perSecond) {
    CodeSettings.Builder code = CodeSettings.retryBudget().of(name);
    if (hasFigures) {
      code.set(RetryBudgetProperties.PERCENT, percent)
          .set(RetryBudgetProperties.PER_SECOND, perSecond);
    }
    return new NamedShare(name, code.build());
  }

  private void requireHedgeable(@Nullable IsolationStrategy isolation) {
    if (hedge != null && isolation == IsolationStrategy.SEMAPHORE && !body.isStaged()) {
      throw new IllegalArgumentException(
          key
              + ": work on its caller's own thread cannot be hedged, because that thread is busy"
              + " with the first attempt; expected a thread pool, virtual threads or asynchronous"
              + " work");
    }
  }

  private void addSettings(Hedge figures) {
    set(CommandProperties.HEDGE_AFTER, figures.delay());
    set(CommandProperties.HEDGE_PERCENTILE, figures.percentile());
    set(CommandProperties.HEDGE_AT_MOST, figures.atMost());
    if (figures.hasOwnBudget() && figures.sharedBudget() == null) {
      set(CommandProperties.HEDGE_BUDGET_PERCENT, figures.budgetPercent());
      set(CommandProperties.HEDGE_BUDGET_PER_SECOND, figures.budgetPerSecond());
    }
  }

  private void addSettings(Retry figures) {
    set(CommandProperties.RETRY_ATTEMPTS, figures.attempts());
    if (figures.hasOwnBackoff()) {
      set(CommandProperties.RETRY_FIRST_DELAY, figures.firstDelay());
      set(CommandProperties.RETRY_LONGEST_DELAY, figures.longestDelay());
    }
    Duration attemptTimeout = figures.attemptTimeout();
    if (attemptTimeout != null) {
      set(CommandProperties.RETRY_ATTEMPT_TIMEOUT, attemptTimeout);
    }
    if (figures.hasOwnBudget() && figures.sharedBudget() == null) {
      set(CommandProperties.RETRY_BUDGET_PERCENT, figures.budgetPercent());
      set(CommandProperties.RETRY_BUDGET_PER_SECOND, figures.budgetPerSecond());
    }
  }

  private static <A extends @Nullable Object, R extends @Nullable Object>
      @Nullable CommandDefinition<A, R> definition(WorkBody<A, R> body) {
    return body instanceof WorkBody.Plain<A, R> plain
            && plain.work() instanceof CommandDefinition<A, R> definition
        ? definition
        : null;
  }

  /** Where in its class's hierarchy it overrides does not matter. */
  private static boolean overrides(
      CommandDefinition<?, ?> definition, String method, Class<?>... parameters) {
    Class<?> type = definition.getClass();
    try {
      return type.getMethod(method, parameters).getDeclaringClass() != CommandDefinition.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(type.getName() + " has no " + method + " method", e);
    }
  }
}
