// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Flowable;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A removed key comes back with the next call of its method, as if it had never been called. */
class ReturningCommandTest {

  private final AnnotationConfigApplicationContext context = Contexts.of(Stock.class);
  private final Tenrec tenrec = context.getBean(Tenrec.class);
  private final Stock stock = context.getBean(Stock.class);

  @AfterEach
  void close() {
    context.close();
  }

  /** A cache key that counts how often it is looked for. */
  record Counted(AtomicInteger hashes) {

    @Override
    public int hashCode() {
      hashes.incrementAndGet();
      return 1;
    }
  }

  static class Stock {

    private final AtomicInteger asked = new AtomicInteger();

    @Command(
        commandProperties = @CommandProperty(name = "circuitBreaker.forceOpen", value = "false"))
    public String left(String sku) {
      return sku;
    }

    @Command(commandKey = "Keyed-#{#p0}", maxKeys = 2, isolation = IsolationStrategy.SEMAPHORE)
    public String keyed(String key) {
      return key;
    }

    @Command
    public Flowable<String> all() {
      return Flowable.just("a", "b");
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    @CacheResult
    public int cached(String sku) {
      return asked.incrementAndGet();
    }

    @CacheRemove(commandKey = "cached")
    public void changed(String sku) {}

    @Command(commandKey = "Kept-#{#p0}", maxKeys = 1, isolation = IsolationStrategy.SEMAPHORE)
    @CacheResult
    public int kept(String key, @CacheKey Counted counted) {
      return asked.incrementAndGet();
    }

    @CacheRemove(commandKey = "kept")
    public void dropped(@CacheKey Counted counted) {}

    @Collapsed(batchMethod = "many", scope = Collapsed.Scope.GLOBAL)
    public String one(String sku) {
      throw new AssertionError("never runs");
    }

    List<String> many(List<String> skus) {
      return skus;
    }
  }

  private CommandView view(String key) {
    return tenrec.commands().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  /** Soon: a caller may have gone on without a thread that is held up before it counts. */
  private void awaitCounted(String key, EventType event, long times) {
    await().untilAsserted(() -> assertThat(view(key).cumulativeCount(event)).isEqualTo(times));
  }

  @Test
  void command_afterItsRemoval_comesBackWithTheNextCall_withoutItsPast() {
    assertThat(stock.left("a")).isEqualTo("a");
    tenrec.set("tenrec.command.Stock.left.circuitBreaker.forceOpen", "true");
    assertThatThrownBy(() -> stock.left("b")).isInstanceOf(CircuitOpenException.class);
    assertThat(tenrec.remove("Stock.left")).isTrue();
    tenrec.clear("tenrec.command.Stock.left.circuitBreaker.forceOpen");

    assertThat(stock.left("c")).isEqualTo("c");
    awaitCounted("Stock.left", EventType.SUCCESS, 1);
    assertThat(view("Stock.left").cumulativeCount(EventType.SHORT_CIRCUITED)).isZero();
  }

  @Test
  void commandWithAKeyOfItsArgument_afterItsRemoval_comesBack() {
    stock.keyed("a");
    assertThat(tenrec.remove("Keyed-a")).isTrue();

    assertThat(stock.keyed("a")).isEqualTo("a");
    assertThat(view("Keyed-a").cumulativeCount(EventType.SUCCESS)).isEqualTo(1);
  }

  @Test
  void removedKey_ofAnArgument_leavesRoomForAnother() {
    stock.keyed("a");
    stock.keyed("b");
    assertThatThrownBy(() -> stock.keyed("c")).hasMessageContaining("maxKeys");
    assertThat(tenrec.remove("Keyed-a")).isTrue();

    assertThat(stock.keyed("c")).isEqualTo("c");
    assertThatThrownBy(() -> stock.keyed("a")).hasMessageContaining("maxKeys");
  }

  @Test
  void stream_afterItsRemoval_comesBack() {
    assertThat(stock.all().toList().blockingGet()).containsExactly("a", "b");
    assertThat(tenrec.remove("Stock.all")).isTrue();

    assertThat(stock.all().toList().blockingGet()).containsExactly("a", "b");
  }

  @Test
  void collapser_afterItsRemoval_comesBack() {
    assertThat(stock.one("a")).isEqualTo("a");
    assertThat(tenrec.remove("Stock.one")).isTrue();

    assertThat(stock.one("b")).isEqualTo("b");
    assertThat(tenrec.collapsers()).hasSize(1);
  }

  @Test
  void cachedResults_ofACommandThatCameBack_canBeRemoved() {
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(stock.cached("a")).isEqualTo(1);
    }
    assertThat(tenrec.remove("Stock.cached")).isTrue();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(stock.cached("a")).isEqualTo(2);
      assertThat(stock.cached("a")).isEqualTo(2);
      stock.changed("a");
      assertThat(stock.cached("a")).isEqualTo(3);
    }
  }

  @Test
  void cachesOfRemovedKeys_areNotLookedInAnyMore() {
    Counted counted = new Counted(new AtomicInteger());
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(stock.kept("0", counted)).isEqualTo(1);
      assertThat(lookedIn(counted)).isOne();
      for (int i = 1; i < 5; i++) {
        assertThat(tenrec.remove("Kept-" + (i - 1))).isTrue();
        assertThat(stock.kept("" + i, counted)).isEqualTo(i + 1);
      }
      assertThat(lookedIn(counted)).isOne();
      assertThat(stock.kept("4", counted)).as("removed").isEqualTo(6);
    }
  }

  /** In how many caches a removal looks for this. */
  private int lookedIn(Counted counted) {
    int before = counted.hashes().get();
    stock.dropped(counted);
    return counted.hashes().get() - before;
  }

  @Test
  void closedTenrec_bringsNothingBack() {
    assertThat(stock.left("a")).isEqualTo("a");
    stock.keyed("a");
    tenrec.close();

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> stock.left("a")).isInstanceOf(CommandRejectedException.class);
      assertThatThrownBy(() -> stock.keyed("a")).isInstanceOf(CommandRejectedException.class);
      assertThatThrownBy(() -> stock.one("a")).isInstanceOf(CommandRejectedException.class);
    }
  }
}
