// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tenrec with its defaults: latency histograms, both latencies, maximum concurrency, breaker and
 * time-out of one second are on. One command, built once.
 */
public final class TenrecContender implements Counting {

  /** Of the command. */
  public static final String KEY = "Measured";

  /** Longer than any call that is measured. */
  private static final Duration LONG = Duration.ofMillis(500);

  private static final EnumSet<EventType> OF_A_FAILING_CALL =
      EnumSet.of(EventType.FAILURE, EventType.FALLBACK_SUCCESS);

  private final Tenrec tenrec;
  private final Command<String, String> command;

  private TenrecContender(
      Isolation isolation,
      Rules rules,
      UnaryOperator<String> work,
      UnaryOperator<CommandBuilder<String, String>> fallback) {
    this(Tenrec.create(), isolation, rules, work, fallback);
  }

  private TenrecContender(
      Tenrec tenrec,
      Isolation isolation,
      Rules rules,
      UnaryOperator<String> work,
      UnaryOperator<CommandBuilder<String, String>> fallback) {
    this.tenrec = tenrec;
    CommandBuilder<String, String> builder =
        tenrec
            .command(KEY, work::apply)
            .isolation(isolation)
            .timeout(rules.timeout())
            .errorThreshold(rules.errorPercentage(), rules.volume())
            .sleepWindow(rules.sleepWindow())
            .stackTraces(rules.stackTraces());
    this.command = fallback.apply(builder).build();
  }

  /** On the caller's thread. */
  public static TenrecContender onCaller(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    return new TenrecContender(
        Isolation.semaphore(rules.maxConcurrent()), rules, work, running(fallback));
  }

  /** On the caller's thread, by settings of this Tenrec, which is closed with the contender. */
  public static TenrecContender onCaller(
      Tenrec tenrec,
      Rules rules,
      UnaryOperator<String> work,
      Function<Throwable, String> fallback) {
    return new TenrecContender(
        tenrec, Isolation.semaphore(rules.maxConcurrent()), rules, work, running(fallback));
  }

  /** On the caller's thread, with so many permits a second and as many saved up. */
  public static TenrecContender limited(
      Rules rules, int permits, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    UnaryOperator<CommandBuilder<String, String>> answering = running(fallback);
    return new TenrecContender(
        Isolation.semaphore(rules.maxConcurrent()),
        rules,
        work,
        builder -> answering.apply(builder.rateLimit(permits, Duration.ofSeconds(1), permits)));
  }

  /** On the caller's thread, and a call that failed would be attempted again. */
  public static TenrecContender retried(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    UnaryOperator<CommandBuilder<String, String>> answering = running(fallback);
    return new TenrecContender(
        Isolation.semaphore(rules.maxConcurrent()),
        rules,
        work,
        builder -> answering.apply(builder.retry(Retry.attempts(3))));
  }

  /** On the caller's thread, by deadlines that travel. */
  public static TenrecContender withDeadlines(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    UnaryOperator<CommandBuilder<String, String>> answering = running(fallback);
    return new TenrecContender(
        Isolation.semaphore(rules.maxConcurrent()),
        rules,
        work,
        builder ->
            answering.apply(builder.property(CommandProperties.DEADLINE_ENABLED.name(), "true")));
  }

  /** On a pool, and a call that is slow would be hedged. */
  public static TenrecContender hedged(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    UnaryOperator<CommandBuilder<String, String>> answering = running(fallback);
    return new TenrecContender(
        Isolation.threadPool().coreSize(rules.maxConcurrent()).queueSize(rules.queue()),
        rules,
        work,
        builder -> answering.apply(builder.hedge(Hedge.after(LONG))));
  }

  /** On a pool, and a call that is slow would be hedged, one that failed attempted again. */
  public static TenrecContender hedgedAndRetried(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    UnaryOperator<CommandBuilder<String, String>> answering = running(fallback);
    return new TenrecContender(
        Isolation.threadPool().coreSize(rules.maxConcurrent()).queueSize(rules.queue()),
        rules,
        work,
        builder -> answering.apply(builder.hedge(Hedge.after(LONG)).retry(Retry.attempts(3))));
  }

  /**
   * On the caller's thread, with an answer that is there already instead of a fallback that runs.
   */
  public static TenrecContender withFallbackValue(
      Rules rules, UnaryOperator<String> work, String answer) {
    return new TenrecContender(
        Isolation.semaphore(rules.maxConcurrent()),
        rules,
        work,
        builder -> builder.fallbackValue(answer));
  }

  private static UnaryOperator<CommandBuilder<String, String>> running(
      @Nullable Function<Throwable, String> fallback) {
    return fallback == null
        ? builder -> builder
        : builder -> builder.fallback((question, cause) -> fallback.apply(cause));
  }

  /** On a pool of Tenrec's own threads. */
  public static TenrecContender onPool(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    Isolation pool =
        Isolation.threadPool().coreSize(rules.maxConcurrent()).queueSize(rules.queue());
    return new TenrecContender(pool, rules, work, running(fallback));
  }

  /** On virtual threads, which need JDK 21. */
  public static TenrecContender onVirtualThreads(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    return new TenrecContender(
        Isolation.virtualThreads(rules.maxConcurrent()), rules, work, running(fallback));
  }

  @Override
  public String call(String question) {
    return command.execute(question);
  }

  /** Calls, waits, and throws nothing. */
  public Outcome<String> attempt(String question) {
    return command.attempt(question);
  }

  /** Calls without waiting. */
  public CompletableFuture<String> callAsync(String question) {
    return command.executeAsync(question);
  }

  /** The command, whose metrics show every call. */
  public Command<String, String> command() {
    return command;
  }

  @Override
  public boolean isOpen() {
    return command.view().circuitState() == CircuitState.OPEN;
  }

  /** Of all calls. */
  @Override
  public Ends ends() {
    CommandView view = command.view();
    long failed = view.cumulativeCount(EventType.FAILURE);
    long others = Math.abs(failed - view.cumulativeCount(EventType.FALLBACK_SUCCESS));
    for (EventType type : EnumSet.complementOf(OF_A_FAILING_CALL)) {
      others += view.cumulativeCount(type);
    }
    return new Ends(failed, others);
  }

  @Override
  public void close() {
    var unused = tenrec.close(Duration.ofSeconds(1));
  }
}
