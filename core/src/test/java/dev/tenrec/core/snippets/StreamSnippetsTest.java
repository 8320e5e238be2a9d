// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

/** The snippets of docs/how-to/stream.md, each in the test of its section's name. */
class StreamSnippetsTest {

  record Symbol(String name) {}

  record Tick(Symbol symbol, int price) {}

  /** Ten ticks, or as many as it is asked for, and then what it is given. */
  static final class Feed {
    private int count = 10;
    private Flowable<Tick> then = Flowable.empty();

    Publisher<Tick> ticks(Symbol symbol) {
      return Flowable.range(1, count).map(price -> new Tick(symbol, price)).concatWith(then);
    }
  }

  static final class Board {
    private final List<Tick> shown = new ArrayList<>();

    void show(Tick tick) {
      shown.add(tick);
    }

    Tick lastOf(Symbol symbol) {
      return new Tick(symbol, 0);
    }
  }

  private final Tenrec tenrec = Unhurried.tenrec();
  private final Feed feed = new Feed();
  private final Board board = new Board();

  @AfterEach
  void close() {
    tenrec.close();
  }

  @Test
  void aStream() {
    StreamCommand<Symbol, Tick> ticks =
        tenrec.streamCommand("Ticks", (Symbol symbol) -> feed.ticks(symbol)).build();

    Flowable<Tick> acme = ticks.toFlowable(new Symbol("ACME")); // nothing has happened yet
    assertThat(board.shown).isEmpty();
    assertThat(acme.take(3).subscribe(tick -> board.show(tick)).isDisposed()).isTrue();
    assertThat(board.shown).extracting(Tick::price).containsExactly(1, 2, 3);
    assertThat(ticks.toFlowable(new Symbol("ACME")).toList().blockingGet()).hasSize(10);
  }

  @Test
  void twoLimits() throws InterruptedException {
    feed.count = 1;
    feed.then = Flowable.never();
    StreamCommand<Symbol, Tick> ticks =
        tenrec
            .streamCommand("Ticks", (Symbol symbol) -> feed.ticks(symbol))
            .timeout(Duration.ofMillis(500)) // until the first item
            .betweenItemsTimeout(Duration.ofSeconds(5)) // from then on, for each
            .property("execution.isolation.thread.timeoutInMilliseconds", "60000")
            .property("execution.stream.betweenItemsTimeoutInMilliseconds", "20")
            .build();
    TestSubscriber<Tick> subscriber = ticks.toFlowable(new Symbol("ACME")).test();
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertError(
        thrown ->
            thrown instanceof CommandTimeoutException timeout
                && timeout.limit() == Limit.NEXT_ITEM);
  }

  @Test
  void goingOnWithAFallback() {
    feed.count = 2;
    feed.then = Flowable.error(new IOException("cut"));
    StreamCommand<Symbol, Tick> ticks =
        tenrec
            .streamCommand("Ticks", (Symbol symbol) -> feed.ticks(symbol))
            .fallback((symbol, cause) -> Flowable.just(board.lastOf(symbol)))
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      ticks.toFlowable(new Symbol("ACME")).map(Tick::price).test().assertResult(1, 2, 0);
      assertThat(request.log().toString())
          .matches("Ticks\\[EMITx2, FAILURE, FALLBACK_EMIT, FALLBACK_SUCCESS]\\[\\d+ms]");
    }
  }
}
