// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Observable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Flux;

/** Methods that return any number of items. */
class StreamTest {

  private final AnnotationConfigApplicationContext context = Contexts.of(Prices.class);
  private final Prices prices = context.getBean(Prices.class);

  @AfterEach
  void close() {
    context.close();
  }

  static class Prices {

    private final AtomicInteger calls = new AtomicInteger();

    int calls() {
      return calls.get();
    }

    @Command(fallbackMethod = "more")
    public Flowable<Integer> flowable(boolean fails) {
      int call = calls.incrementAndGet();
      Flowable<Integer> items = Flowable.just(call, 2);
      return fails ? items.concatWith(Flowable.error(new IOException("cut"))) : items;
    }

    private Flowable<Integer> more(boolean fails, IOException cause) {
      return Flowable.just(8, 9);
    }

    @Command(fallbackMethod = "last")
    public Observable<String> observable() {
      return Observable.error(new IOException());
    }

    String last() {
      return "last";
    }

    @Command(fallbackMethod = "otherFlux")
    public Flux<String> flux(boolean fails) {
      return Flux.deferContextual(
          seen ->
              fails
                  ? Flux.error(new IOException("flux"))
                  : Flux.just(seen.get("user"), String.valueOf(seen.hasKey(RequestContext.class))));
    }

    Flux<String> otherFlux(boolean fails) {
      return Flux.deferContextual(seen -> Flux.just("instead for " + seen.get("user")));
    }

    @Command
    public Flux<Integer> failing() {
      return Flux.error(new IOException("no fallback"));
    }
  }

  @Test
  void flowable_runsPerSubscription_andItsFallbackGoesOn() {
    Flowable<Integer> items = prices.flowable(false);
    assertThat(prices.calls()).as("before a subscription").isZero();

    assertThat(items.blockingIterable()).containsExactly(1, 2);
    assertThat(items.blockingIterable()).containsExactly(2, 2);
    assertThat(prices.flowable(true).blockingIterable()).containsExactly(3, 2, 8, 9);
  }

  @Test
  void observable_mayEndWithAPlainItem() {
    assertThat(prices.observable().blockingIterable()).containsExactly("last");
  }

  @Test
  void flux_isInItsSubscribersContext_andSoIsItsFallback() {
    assertThat(prices.flux(false).contextWrite(c -> c.put("user", "ann")).collectList().block())
        .containsExactly("ann", "false");
    assertThat(prices.flux(true).contextWrite(c -> c.put("user", "bob")).collectList().block())
        .containsExactly("instead for bob");
    try (RequestContext request = context.getBean(Tenrec.class).openRequest()) {
      request.leave();
      List<String> items =
          prices
              .flux(false)
              .contextWrite(c -> c.put("user", "eve").put(RequestContext.class, request))
              .collectList()
              .block();
      assertThat(items).containsExactly("eve", "true");
      assertThat(request.log().toString()).contains("Prices.flux");
    }
  }

  @Test
  void fluxThatFails_givesTheOriginal() {
    assertThatThrownBy(() -> prices.failing().collectList().block())
        .hasCauseExactlyInstanceOf(IOException.class)
        .hasRootCauseMessage("no fallback");
  }
}
