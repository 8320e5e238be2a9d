// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import io.reactivex.rxjava3.core.Single;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Keys that depend on the arguments. */
class SpelKeyTest {

  private final AnnotationConfigApplicationContext context = Contexts.of(Stock.class);
  private final Tenrec tenrec = context.getBean(Tenrec.class);
  private final Stock stock = context.getBean(Stock.class);

  @AfterEach
  void close() {
    context.close();
  }

  record Site(String name) {}

  static class Stock {

    @Command(
        commandKey = "Stock-#{#site.name}",
        threadPoolKey = "#{#p0.name}",
        maxKeys = 2,
        fallbackMethod = "unknown")
    public int left(Site site, String sku) {
      if (sku.isEmpty()) {
        throw new IllegalArgumentException();
      }
      return sku.length();
    }

    int unknown(Site site, String sku) {
      return -1;
    }

    @Command(commandKey = "Shard-#{#p0 % #p1}")
    public int shard(int id, int shards) {
      return id;
    }

    @Command(commandKey = "StageOfShard-#{#p0 % #p1}")
    public CompletableFuture<Integer> stageOfShard(int id, int shards) {
      return CompletableFuture.completedFuture(id);
    }

    @Command(commandKey = "MonoOfSite-#{#p0.get()}")
    public Mono<String> monoOfSite(Supplier<String> name) {
      return Mono.just("site");
    }

    @Command(commandKey = "#{#p0}", maxKeys = 1)
    public Mono<String> mono(String key) {
      return Mono.just(key);
    }

    @Command(commandKey = "Flux-#{#p0}", maxKeys = 1)
    public Flux<String> flux(String key) {
      return Flux.just(key);
    }

    @Command(commandKey = "Stage-#{#p0}", maxKeys = 1)
    public CompletableFuture<String> stage(String key) {
      return CompletableFuture.completedFuture(key);
    }

    @Command(commandKey = "Single-#{#p0}", maxKeys = 1)
    public Single<String> single(String key) {
      return Single.just(key);
    }
  }

  @Test
  void eachKey_isACommandOfItsOwn() {
    assertThat(stock.left(new Site("north"), "abc")).isEqualTo(3);
    assertThat(stock.left(new Site("south"), "")).isEqualTo(-1);
    assertThat(stock.left(new Site("north"), "ab")).isEqualTo(2);

    assertThat(tenrec.commands())
        .extracting(CommandView::key)
        .containsExactlyInAnyOrder("Stock-north", "Stock-south");
    assertThat(tenrec.pools())
        .extracting(PoolView::key)
        .containsExactlyInAnyOrder("north", "south");
  }

  @Test
  void moreKeysThanAllowed_areRefused() {
    stock.left(new Site("north"), "a");
    stock.left(new Site("south"), "a");

    assertThatThrownBy(() -> stock.left(new Site("west"), "a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Stock-west")
        .hasMessageContaining("maxKeys is 2");
    assertThat(stock.left(new Site("south"), "ab")).isEqualTo(2);
  }

  @Test
  void keyThatCannotBeMade_isAnError() {
    assertThatThrownBy(() -> stock.left(null, "a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Stock-#{#site.name}");
  }

  @Test
  void keyWhoseExpressionThrows_isAnErrorAsTheMethodReportsIt() {
    assertThatThrownBy(() -> stock.shard(1, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Shard-#{#p0 % #p1}")
        .hasCauseInstanceOf(ArithmeticException.class);

    CompletableFuture<Integer> stage = stock.stageOfShard(1, 0);
    Mono<String> mono =
        stock.monoOfSite(
            () -> {
              throw new UnsupportedOperationException("of no region");
            });
    assertThatThrownBy(stage::join).hasRootCauseInstanceOf(ArithmeticException.class);
    assertThatThrownBy(mono::block)
        .isInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("of no region");
  }

  @Test
  void keyThatStandsForAll_isAnError() {
    assertThatThrownBy(() -> stock.mono("default").block())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is \"default\" for these arguments");
  }

  @Test
  void failure_isReportedAsTheMethodReportsIt() {
    assertThat(stock.mono("a").block()).isEqualTo("a");
    assertThat(stock.flux("a").blockLast()).isEqualTo("a");
    assertThat(stock.stage("a").join()).isEqualTo("a");
    assertThat(stock.single("a").blockingGet()).isEqualTo("a");

    Mono<String> mono = stock.mono("b");
    Flux<String> flux = stock.flux("b");
    CompletableFuture<String> stage = stock.stage("b");
    Single<String> single = stock.single("b");
    assertThatThrownBy(mono::block).hasMessageContaining("maxKeys is 1");
    assertThatThrownBy(flux::blockLast).hasMessageContaining("maxKeys is 1");
    assertThatThrownBy(stage::join).hasMessageContaining("maxKeys is 1");
    assertThatThrownBy(single::blockingGet).hasMessageContaining("maxKeys is 1");
  }
}
