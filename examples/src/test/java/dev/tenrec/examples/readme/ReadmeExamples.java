// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.readme;

import dev.tenrec.core.Command;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.Call;
import io.reactivex.rxjava3.core.Single;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The Java of the README and of docs/get-started.md, as it stands there, so that it compiles;
 * {@code ReadmeTest} compares them and runs it.
 */
final class ReadmeExamples {

  record Sku(String id) {}

  record Quote(Sku sku, int cents) {
    static Quote unknown(Sku sku) {
      return new Quote(sku, -1);
    }
  }

  static final class Pricing {
    Quote quote(Sku sku) {
      return new Quote(sku, 100);
    }

    Quote quote(Sku sku, Duration within) {
      return new Quote(sku, within.isZero() ? 0 : 100);
    }

    CompletableFuture<Quote> quoteLater(Sku sku) {
      return CompletableFuture.supplyAsync(() -> quote(sku));
    }
  }

  static final class Connection {
    void abort() {}
  }

  static final class Warehouse {
    int left(Sku sku) {
      return sku.id().length();
    }
  }

  private final Pricing pricing = new Pricing();
  private final Connection connection = new Connection();
  private final Warehouse warehouse = new Warehouse();
  private final Sku sku = new Sku("four");

  void firstCommand() {
    try (Tenrec tenrec = Tenrec.create()) { // owns pools, timer, settings; no static state
      Command<Sku, Quote> getQuote =
          tenrec
              .command("GetQuote", (Sku sku) -> pricing.quote(sku)) // may block, may throw
              .isolation(Isolation.threadPool().coreSize(10))
              .timeout(Duration.ofMillis(300))
              .fallback((sku, cause) -> Quote.unknown(sku))
              .build(); // once; reusable, thread-safe
      System.out.println(getQuote.execute(sku));
    }
  }

  List<Object> doors(Tenrec tenrec, Command<Sku, Quote> getQuote) {
    Quote now = getQuote.execute(sku); // waits
    CompletableFuture<Quote> later = getQuote.executeAsync(sku); // never throws, completes
    Single<Quote> cold = getQuote.toSingle(sku); // one execution per subscription
    Outcome<Quote> outcome =
        getQuote.attempt(sku); // never throws: value or error, events, latency, why
    CompletableFuture<Outcome<Quote>> outcomeLater = getQuote.attemptAsync(sku); // never fails
    Single<Outcome<Quote>> outcomeCold = getQuote.attemptSingle(sku); // nor does this
    return List.of(now, later.join(), cold.blockingGet(), outcome.isSuccess());
  }

  List<Object> otherForms(Tenrec tenrec) {
    Command<Sku, Quote> quoteLater =
        tenrec.asyncCommand("QuoteLater", (Sku sku) -> pricing.quoteLater(sku)).build();
    Command<Sku, Quote> abortable =
        tenrec
            .command(
                "AbortableQuote",
                (Sku sku, Call call) -> {
                  call.onCancel(connection::abort); // for what ignores interrupts
                  return pricing.quote(sku, call.remaining());
                })
            .build();
    Guard stock = tenrec.guard("Stock").semaphore(20).build();
    int left = stock.call(() -> warehouse.left(sku), cause -> 0);
    return List.of(quoteLater.execute(sku), abortable.execute(sku), left);
  }

  void settings(Tenrec tenrec) {
    tenrec.set("tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds", "250");
    tenrec.set("tenrec.command.GetQuote.circuitBreaker.forceOpen", "true");
    tenrec.clear("tenrec.command.GetQuote.circuitBreaker.forceOpen");
  }

  Command<Sku, Quote> getQuote(Tenrec tenrec) {
    return tenrec.command("GetQuote", (Sku sku) -> pricing.quote(sku)).build();
  }
}
