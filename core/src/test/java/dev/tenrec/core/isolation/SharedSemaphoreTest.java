// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SettingLevel;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.SemaphoreDetails;
import dev.tenrec.metrics.event.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A semaphore that several commands share. */
class SharedSemaphoreTest {

  private static final String LIMIT = "tenrec.semaphore.Warehouse.maxConcurrentRequests";

  private final Tenrec tenrec = Unhurried.tenrec();
  private final HeldWork held = HeldWork.polite();

  @AfterEach
  void close() {
    held.letGo();
    tenrec.close();
    assertThat(tenrec.liveThreads()).isZero();
  }

  private Command<String, String> sharing(String key, int permits) {
    return tenrec
        .command(key, held)
        .isolation(Isolation.semaphore(permits).shared("Warehouse"))
        .withoutTimeout()
        .build();
  }

  @Test
  void permits_ofTwoCommands_areBoundedTogether() {
    Command<String, String> stock = sharing("Stock", 2);
    Command<String, String> order = sharing("Order", 2);
    CompletableFuture<String> first = Elsewhere.call(() -> stock.execute("1"));
    CompletableFuture<String> second = Elsewhere.call(() -> order.execute("2"));
    held.awaitRunning(2);
    assertThat(tenrec.semaphores()).extracting(SemaphoreDetails::inUse).containsExactly(2);
    Outcome<String> refused = stock.attempt("3");
    assertThat(refused.events()).contains(EventType.SEMAPHORE_REJECTED);
    assertThat(refused.cause())
        .isInstanceOf(CommandRejectedException.class)
        .hasMessageContainingAll("Stock", "semaphore Warehouse", "2 in flight, 2 allowed");
    assertThat(stock.view().concurrency()).as("its own only").isOne();
    assertThat(order.view().concurrency()).isOne();
    assertThat(stock.view().rollingMaxConcurrency()).isOne();
    held.letGo();
    assertThat(first.join() + second.join()).isEqualTo("12");
    assertThat(stock.view().concurrency() + order.view().concurrency()).isZero();
  }

  @Test
  void limit_changedLive_countsForAll() {
    Command<String, String> stock = sharing("Stock", 1);
    Command<String, String> order = sharing("Order", 1);
    CompletableFuture<String> first = Elsewhere.call(() -> stock.execute("1"));
    held.awaitRunning(1);
    assertThat(order.attempt("x").events()).contains(EventType.SEMAPHORE_REJECTED);
    tenrec.set(LIMIT, "2");
    CompletableFuture<String> second = Elsewhere.call(() -> order.execute("2"));
    held.awaitRunning(2);
    tenrec.set(LIMIT, "1");
    held.letGo();
    assertThat(first.join() + second.join()).isEqualTo("12");
    tenrec.set(LIMIT, "0");
    assertThat(stock.attempt("x").events()).contains(EventType.SEMAPHORE_REJECTED);
    tenrec.set(LIMIT, "-1");
    assertThat(tenrec.refusedSettings()).isOne();
    assertThat(stock.attempt("x").events())
        .as("the last good one")
        .contains(EventType.SEMAPHORE_REJECTED);
    tenrec.clear(LIMIT);
    assertThat(stock.execute("x")).isEqualTo("x");
  }

  @Test
  void limit_ofTheCommandItself_hasNoEffect() {
    Command<String, String> stock = sharing("Stock", 1);
    tenrec.set("tenrec.command.Stock.execution.isolation.semaphore.maxConcurrentRequests", "0");
    CompletableFuture<String> first = Elsewhere.call(() -> stock.execute("1"));
    held.awaitRunning(1);
    held.letGo();
    assertThat(first.join()).isEqualTo("1");
  }

  @Test
  void twoLimits_forOneName_areAnErrorThatNamesBoth() {
    assertThat(sharing("Stock", 1).key()).isEqualTo("Stock");
    assertThatThrownBy(() -> sharing("Order", 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(
            "semaphore Warehouse was built before with other settings", "=1", "=2");
  }

  @Test
  void details_sayItsLimit_andWhereThatComesFrom() {
    assertThat(sharing("Stock", 3).key()).isEqualTo("Stock");
    SemaphoreDetails warehouse = tenrec.semaphores().get(0);
    assertThat(warehouse.limit()).isEqualTo(3);

    tenrec.set(LIMIT, "7");

    assertThat(warehouse.limit()).isEqualTo(7);
    assertThat(warehouse.settings())
        .singleElement()
        .satisfies(
            setting -> {
              assertThat(setting.value()).isEqualTo("7");
              assertThat(setting.level()).isEqualTo(SettingLevel.INSTANCE);
            });
  }

  @Test
  void close_letsNobodyInAnyMore() {
    assertThat(sharing("Stock", 3).key()).isEqualTo("Stock");
    SemaphoreDetails warehouse = tenrec.semaphores().get(0);

    tenrec.close();

    assertThat(warehouse.limit()).isZero();
  }

  @Test
  void lastUser_removed_takesTheSemaphoreWithIt() {
    assertThat(sharing("Stock", 1).key()).isEqualTo("Stock");
    assertThat(sharing("Order", 1).key()).isEqualTo("Order");
    assertThat(tenrec.remove("Stock")).isTrue();
    assertThatThrownBy(() -> sharing("Stock", 5)).isInstanceOf(IllegalStateException.class);
    assertThat(tenrec.remove("Order")).isTrue();
    assertThat(sharing("Stock", 5).key()).isEqualTo("Stock");
  }

  @Test
  void guardAndCommand_share() {
    Guard guard = tenrec.guard("G").isolation(Isolation.semaphore(1).shared("Warehouse")).build();
    Command<String, String> stock = sharing("Stock", 1);
    CompletableFuture<String> first = Elsewhere.call(() -> stock.execute("1"));
    held.awaitRunning(1);
    assertThat(guard.attempt(() -> "x").events()).contains(EventType.SEMAPHORE_REJECTED);
    held.letGo();
    assertThat(first.join()).isEqualTo("1");
    assertThat(guard.<String>call(() -> "x")).isEqualTo("x");
  }

  @Test
  void follower_isToldOfEachSemaphoreOnce_asItComesAndGoes() {
    assertThat(sharing("Stock", 1).key()).isEqualTo("Stock");
    List<String> news = new ArrayList<>();
    try (var following =
        tenrec.follow(
            new InventoryListener() {
              @Override
              public void onSemaphoreAdded(SemaphoreDetails semaphore) {
                news.add("+" + semaphore.name());
              }

              @Override
              public void onSemaphoreRemoved(SemaphoreDetails semaphore) {
                news.add("-" + semaphore.name());
              }
            })) {
      assertThat(news).as("what there is").containsExactly("+Warehouse");

      assertThat(sharing("Order", 1).key()).isEqualTo("Order");
      Command<String, String> yard =
          tenrec.command("Yard", held).isolation(Isolation.semaphore(1).shared("Gate")).build();
      assertThat(yard.key()).isEqualTo("Yard");
      assertThat(tenrec.remove("Stock")).isTrue();
      assertThat(tenrec.remove("Order")).isTrue();
    }

    assertThat(news).containsExactly("+Warehouse", "+Gate", "-Warehouse");
  }
}
