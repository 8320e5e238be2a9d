// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.readme;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.view.CircuitState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Java of the pages below docs/how-to that have no test of their own, as it stands there;
 * {@code HowToTest} compares and runs it.
 */
final class HowToExamples {

  record Sku(String id) {}

  record Quote(Sku sku, int cents) {
    static Quote unknown(Sku sku) {
      return new Quote(sku, -1);
    }
  }

  record Order(Sku sku) {}

  static final class TooBusy extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Duration retryAfter() {
      return Duration.ofSeconds(2);
    }
  }

  static final class Pricing {
    private final AtomicInteger asked = new AtomicInteger();

    Quote quote(Sku sku) {
      asked.incrementAndGet();
      return new Quote(sku, 100);
    }

    Quote quote(Sku sku, Duration within) {
      return new Quote(sku, within.isZero() ? 0 : 100);
    }

    /** Fails the first time. */
    Quote place(Order order, int attempt) {
      if (attempt == 1) {
        throw new UncheckedIOException(new IOException("no answer"));
      }
      return new Quote(order.sku(), attempt);
    }

    Map<Sku, Quote> quotes(List<Sku> skus) {
      asked.incrementAndGet();
      return skus.stream().collect(Collectors.toMap(Function.identity(), s -> new Quote(s, 100)));
    }

    int asked() {
      return asked.get();
    }
  }

  static final class Connection {
    void abort() {}
  }

  private final Connection connection = new Connection();
  private final Sku sku = new Sku("four");
  private final Sku other = new Sku("five");
  final Pricing pricing = new Pricing();

  Command<Sku, Quote> pool(Tenrec tenrec) {
    Command<Sku, Quote> pooled =
        tenrec
            .command("PooledQuote", (Sku sku) -> pricing.quote(sku))
            .isolation(Isolation.threadPool().coreSize(10).maximumSize(20).queueSize(50))
            .build();
    return pooled;
  }

  Isolation sharedPool() {
    Isolation shared = Isolation.threadPool().key("Pricing").coreSize(20);
    return shared;
  }

  Command<Sku, Quote> semaphore(Tenrec tenrec) {
    Command<Sku, Quote> limited =
        tenrec
            .command("LimitedQuote", (Sku sku) -> pricing.quote(sku))
            .isolation(Isolation.semaphore(20))
            .build();
    return limited;
  }

  Isolation sharedSemaphore() {
    Isolation warehouse = Isolation.semaphore(30).shared("Warehouse");
    return warehouse;
  }

  Command<Sku, Quote> rateLimit(Tenrec tenrec) {
    Command<Sku, Quote> metered =
        tenrec
            .command("MeteredQuote", (Sku sku) -> pricing.quote(sku))
            .rateLimit(100, Duration.ofSeconds(1), 20) // 100 a second, 20 of them at once
            .fallback((sku, cause) -> Quote.unknown(sku))
            .build();
    return metered;
  }

  @Nullable Duration untilNextPermit(Command<Sku, Quote> metered, Sku sku) {
    Outcome<Quote> refused = metered.attempt(sku); // RATE_LIMITED, FALLBACK_SUCCESS
    Duration next =
        refused.cause() instanceof CommandRejectedException rejected
            ? rejected.untilNextPermit() // for a Retry-After, as an example
            : null;
    return next;
  }

  RateLimit sharedRateLimit() {
    RateLimit bank = RateLimit.of(600, Duration.ofMinutes(1)).burst(10).shared("Bank");
    return bank;
  }

  Command<Sku, Quote> rateLimitByKey(Tenrec tenrec) {
    Command<Sku, Quote> fair =
        tenrec
            .command("FairQuote", (Sku sku) -> pricing.quote(sku))
            .rateLimit(5, Duration.ofSeconds(1), 5)
            .rateLimitKey(Sku::id)
            .build();
    return fair;
  }

  Command<Sku, Quote> virtualThreads(Tenrec tenrec) {
    Command<Sku, Quote> virtual =
        tenrec
            .command("VirtualQuote", (Sku sku) -> pricing.quote(sku))
            .isolation(Isolation.virtualThreads(200))
            .build();
    return virtual;
  }

  Command<Sku, Quote> timeout(Tenrec tenrec) {
    Command<Sku, Quote> timed =
        tenrec
            .command(
                "TimedQuote",
                (Sku sku, Call call) -> {
                  call.onCancel(connection::abort); // for what ignores interrupts
                  return pricing.quote(sku, call.remaining());
                })
            .timeout(Duration.ofMillis(300))
            .build();
    return timed;
  }

  Command<Sku, Quote> retry(Tenrec tenrec) {
    Command<Sku, Quote> retried =
        tenrec
            .command("RetriedQuote", (Sku sku) -> pricing.quote(sku))
            .timeout(Duration.ofSeconds(2)) // covers all attempts, and the waiting between them
            .retry(
                Retry.attempts(3) // the first one included
                    .backoff(Duration.ofMillis(50), Duration.ofSeconds(1))
                    .on(java.io.UncheckedIOException.class))
            .fallback((sku, cause) -> Quote.unknown(sku)) // after the last attempt
            .build();
    return retried;
  }

  Command<Sku, Quote> hedge(Tenrec tenrec) {
    Command<Sku, Quote> hedged =
        tenrec
            .command("HedgedQuote", (Sku sku) -> pricing.quote(sku))
            .timeout(Duration.ofSeconds(2)) // covers all attempts
            .hedge(
                Hedge.after(Duration.ofMillis(50))) // so long the work is out before another begins
            .fallback((sku, cause) -> Quote.unknown(sku)) // when no attempt is under way any more
            .build();
    return hedged;
  }

  Command<Sku, Quote> hedgeAndRetry(Tenrec tenrec) {
    Command<Sku, Quote> both =
        tenrec
            .command("HedgedAndRetriedQuote", (Sku sku) -> pricing.quote(sku))
            .timeout(Duration.ofSeconds(2))
            .hedge(Hedge.after(Duration.ofMillis(50)))
            .retry(Retry.attempts(3)) // hedges included
            .build();
    return both;
  }

  Retry sharedRetry() {
    Retry ofAll = Retry.attempts(3).sharedBudget("Warehouse");
    return ofAll;
  }

  Hedge followingHedge() {
    Hedge following = Hedge.afterPercentile(95).noEarlierThan(Duration.ofMillis(10)).atMost(2);
    return following;
  }

  Hedge generousHedge() {
    Hedge generous = Hedge.after(Duration.ofMillis(50)).budget(10, 3); // per cent, and a second
    return generous;
  }

  Command<Sku, Quote> deadline(Tenrec tenrec) {
    Command<Sku, Quote> quotes =
        tenrec
            .command("DeadlineQuote", (Sku sku) -> pricing.quote(sku))
            .timeout(Duration.ofMillis(300)) // from now on the most it has
            .withDeadline()
            .fallback((sku, cause) -> Quote.unknown(sku))
            .build();
    return quotes;
  }

  Quote withinTheirDeadline(Tenrec tenrec, Command<Sku, Quote> quotes, Sku sku, String header) {
    Duration left = DeadlineHeader.MILLIS.read(header); // "250": what the other side has left
    try (Scope scope = Deadline.after(tenrec, left).open()) {
      return quotes.execute(sku); // ends after 250 ms, not 300
    }
  }

  HttpRequest outgoing(Tenrec tenrec, URI address) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    Deadline.current(tenrec)
        .ifPresent(deadline -> deadline.writeTo(request, DeadlineHeader.MILLIS));
    return request.build();
  }

  void carried(Tenrec tenrec, Executor executor, Runnable task) {
    Deadline rest = Deadline.after(tenrec, Duration.ofMillis(100)); // or less, if this has less
    rest.wrap(executor).execute(task);
  }

  Retry impatientRetry() {
    Retry impatient = Retry.attempts(3).attemptTimeout(Duration.ofMillis(300));
    return impatient;
  }

  Retry frugalRetry() {
    Retry frugal = Retry.attempts(2).budget(5, 1); // per cent, and a second
    return frugal;
  }

  Retry politeRetry() {
    Retry polite =
        Retry.attempts(3)
            .notBefore(thrown -> thrown instanceof TooBusy busy ? busy.retryAfter() : null);
    return polite;
  }

  Command<Order, Quote> retryWithKey(Tenrec tenrec) {
    Command<Order, Quote> ordered =
        tenrec
            .command("PlaceOrder", (Order order, Call call) -> pricing.place(order, call.attempt()))
            .retry(Retry.attempts(3))
            .build();
    return ordered;
  }

  Command<Sku, Quote> breaker(Tenrec tenrec) {
    Command<Sku, Quote> guarded =
        tenrec
            .command("GuardedQuote", (Sku sku) -> pricing.quote(sku))
            .errorThreshold(40, 20) // percent, of at least so many calls
            .slowCall(Duration.ofMillis(500)) // a success that took longer counts as an error
            .sleepWindow(Duration.ofSeconds(5))
            .halfOpenTrials(3) // so many successes close it
            .build();
    return guarded;
  }

  List<Object> circuit(Command<Sku, Quote> guarded) {
    CircuitState state = guarded.view().circuitState();
    List<Transition> journal = guarded.transitions();
    return List.of(state, journal);
  }

  Command<Sku, Quote> fallback(Tenrec tenrec) {
    Command<Sku, Quote> recovered =
        tenrec
            .command("RecoveredQuote", (Sku sku) -> pricing.quote(sku))
            .failIf(quote -> quote.cents() < 0) // such a result is a failure
            .ignore(IllegalArgumentException.class) // the caller's fault: thrown as it is
            .fallback((sku, cause) -> Quote.unknown(sku))
            .build();
    return recovered;
  }

  Command<Sku, List<Quote>> fallbackValue(Tenrec tenrec) {
    Command<Sku, List<Quote>> listed =
        tenrec
            .command("ListedQuotes", (Sku sku) -> List.of(pricing.quote(sku)))
            .fallbackValue(List.of())
            .build();
    return listed;
  }

  List<Object> whereFrom(Command<Sku, Quote> recovered) {
    Outcome<Quote> outcome = recovered.attempt(sku);
    boolean instead = outcome.isFromFallback();
    String why = outcome.explain();
    return List.of(instead, why);
  }

  void cache(Tenrec tenrec) {
    Command<Sku, Quote> cached =
        tenrec.command("CachedQuote", (Sku sku) -> pricing.quote(sku)).cacheKey(Sku::id).build();

    try (RequestContext request = tenrec.openRequest()) {
      Quote first = cached.execute(sku);
      Quote again = cached.execute(sku); // the answer of the first call
      cached.clearCache(sku.id()); // the next call asks again
    }
  }

  void collapse(Tenrec tenrec) {
    Collapser<Sku, Quote> batched =
        tenrec
            .collapser("BatchedQuotes", (List<Sku> skus) -> pricing.quotes(skus)) // a Map, by Sku
            .timerDelay(Duration.ofMillis(10))
            .maxRequestsInBatch(100)
            .build();

    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Quote> one = batched.executeAsync(sku);
      CompletableFuture<Quote> two = batched.executeAsync(other); // of the same batch
      List<Quote> both = List.of(one.join(), two.join());
    }
  }
}
