// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.internal.collapser.Batches;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Batches of requests that end, and what the batch sees of its members' context. */
class CollapserScopeTest {

  private final ManualTime time = new ManualTime();
  private final ThreadLocal<String> tenant = new ThreadLocal<>();
  private final Tenrec tenrec =
      Tenrec.builder()
          .time(time, time)
          .propagate(
              () -> {
                String captured = tenant.get();
                return () -> {
                  String before = tenant.get();
                  tenant.set(captured);
                  return () -> tenant.set(before);
                };
              })
          .build();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final ClosingScopes<Integer, String> requests = new ClosingScopes<>();
  private final Collapser<Integer, String> collapser = builder("Scoped").scope(requests).build();

  private CollapserBuilder<Integer, String> builder(String key) {
    return tenrec.collapser(
        key,
        (List<Integer> ids) -> {
          seen.add(tenant.get() + ids);
          return ids.stream().collect(Collectors.toMap(id -> id, id -> tenant.get() + id));
        });
  }

  @AfterEach
  void close() {
    tenant.remove();
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    assertThat(tenrec.liveThreads()).isZero();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @Test
  void requests_neverShareABatch_andCarryTheirFirstMembersContext() throws Exception {
    requests.enter("one");
    tenant.set("a");
    CompletableFuture<String> one = collapser.executeAsync(1);
    CompletableFuture<String> two = collapser.executeAsync(2);
    requests.enter("two");
    tenant.set("b");
    CompletableFuture<String> three = collapser.executeAsync(1);
    tenant.remove();
    time.advanceMillis(10);
    assertThat(get(one)).isEqualTo("a1");
    assertThat(get(two)).isEqualTo("a2");
    assertThat(get(three)).isEqualTo("b1");
    assertThat(seen).containsExactlyInAnyOrder("a[1, 2]", "b[1]");
  }

  @Test
  void global_carriesNobodysContext() throws Exception {
    tenant.set("a");
    Collapser<Integer, String> global =
        builder("Global").globalScope().maxRequestsInBatch(1).build();
    assertThat(get(global.executeAsync(1))).isEqualTo("null1");
  }

  @Test
  void scopeEnds_failsItsWaitingMembers_andOnlyThem() throws Exception {
    requests.enter("one");
    CompletableFuture<String> lost = collapser.executeAsync(1);
    requests.enter("two");
    CompletableFuture<String> stays = collapser.executeAsync(2);
    requests.end("one");
    assertThat(lost).isCancelled();
    Throwable why = get(lost.handle((value, thrown) -> thrown));
    assertThat(why).hasMessage("Scoped was cancelled: its request has ended");
    time.advanceMillis(10);
    assertThat(get(stays)).isEqualTo("null2");
    assertThat(seen).hasSize(1);
  }

  @Test
  void scopeEnded_refusesMoreMembers() {
    requests.enter("one");
    Batches<Integer, String> kept = requests.current();
    kept.close("its request has ended");
    kept.close("its request has ended");
    assertThatThrownBy(() -> collapser.execute(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Scoped cannot be called any more: its request has ended");
  }

  @Test
  void noScope_isAClearError() {
    assertThatThrownBy(() -> collapser.execute(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no request");
    assertThat(collapser.executeAsync(1)).isCompletedExceptionally();
  }

  @Test
  void scopeEnds_duringTheBatch_leavesIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ClosingScopes<Integer, Integer> scopes = new ClosingScopes<>();
    Collapser<Integer, Integer> slow =
        tenrec
            .collapser(
                "Slow",
                (List<Integer> ids) -> {
                  begun.countDown();
                  go.await();
                  return Map.of(1, 10);
                })
            .scope(scopes)
            .build();
    scopes.enter("one");
    CompletableFuture<Integer> answered = slow.executeAsync(1);
    time.advanceMillis(10);
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    scopes.end("one");
    go.countDown();
    assertThat(get(answered)).isEqualTo(10);
  }
}
