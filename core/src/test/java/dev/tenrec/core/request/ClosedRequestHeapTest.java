// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.observers.TestObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What calls and batches leave of a closed request. */
class ClosedRequestHeapTest extends ClosedRequestFixture {

  private static final Duration AN_HOUR = Duration.ofHours(1);

  private final CountDownLatch begun = new CountDownLatch(2);
  private final CountDownLatch go = new CountDownLatch(1);

  static List<Way> awayWays() {
    return Way.away();
  }

  static List<Way> ways() {
    return Way.all().stream().filter(way -> way != Way.STAGE).toList();
  }

  private CommandBuilder<Thing, Thing> command(String key, Way way) {
    return tenrec
        .command(
            key,
            (Thing thing) -> {
              assertThat(variable.get()).isNotNull(); // the request was carried there
              return trace("a remembered answer " + way, new Thing());
            })
        .isolation(way.isolation())
        .timeout(AN_HOUR)
        .cacheKey(thing -> thing);
  }

  private CollapserBuilder<Thing, Thing> collapser(String key) {
    return tenrec
        .collapser(
            key,
            (List<Thing> things) -> {
              assertThat(variable.get()).isNotNull();
              return things.stream()
                  .collect(
                      Collectors.toMap(thing -> thing, thing -> trace("an answer", new Thing())));
            })
        .timeout(AN_HOUR)
        .cacheKey(thing -> thing);
  }

  /** Everything the request could have left somewhere, while nothing is in flight. */
  @ParameterizedTest
  @MethodSource("ways")
  void close_afterItsCalls_leavesNothing(Way way) throws Exception {
    Command<Thing, Thing> command = command("Get", way).build();
    Command<@Nullable Thing, Thing> failing =
        tenrec
            .<@Nullable Thing, Thing>command(
                "Fail",
                thing -> {
                  throw thing == null
                      ? new Exception()
                      : trace("a remembered failure", new Exception());
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .cacheKey(thing -> thing)
            .build();
    Collapser<Thing, Thing> collapser = collapser("Batch").maxRequestsInBatch(2).build();
    useAll(command, failing, collapser);
    // without this the failure stayed reachable now and then in a JVM that had run other tests, by
    // nothing of Tenrec's that could be found; a JVM may keep a thread's last exception until the
    // next, so here is another, of no request, on the same thread
    assertThat(failing.attempt(null).isAnswered()).isFalse();
    assertGone();
    assertThat(kept).isNotEmpty();
  }

  private void useAll(
      Command<Thing, Thing> command,
      Command<@Nullable Thing, Thing> failing,
      Collapser<Thing, Thing> collapser)
      throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      traceRequest(request);
      Thing key = trace("a key", new Thing());
      command.execute(key);
      command.execute(key);
      command.executeAsync(key).get(PatientWaits.seconds(), TimeUnit.SECONDS);
      kept.add(command.toSingle(key).subscribe(answer -> {}, error -> {}));
      assertThat(failing.attempt(key).isAnswered()).isFalse();
      CompletableFuture<Thing> one = collapser.executeAsync(key);
      CompletableFuture<Thing> two = collapser.executeAsync(trace("another key", new Thing()));
      one.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      two.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      CompletableFuture<Thing> hit = collapser.executeAsync(key);
      assertThat(hit).isDone();
      // an error does not name the answers of others
      kept.add(collapser.executeAsync(new Thing()).handle((value, error) -> "" + error));
    }
  }

  /**
   * What waits for a window of an hour gets its ending, and its node in the timer keeps nothing.
   */
  @Test
  void close_overWaitingBatches_leavesNothing() throws Exception {
    Collapser<Thing, Thing> collapser = collapser("Hour").timerDelay(AN_HOUR).build();
    closeOverWaiting(collapser);
    assertThat(kept).allSatisfy(future -> assertThat((CompletableFuture<?>) future).isCancelled());
    assertGone();
  }

  private void closeOverWaiting(Collapser<Thing, Thing> collapser) throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      traceRequest(request);
      trace("the variable's value", variable.get());
      Thing key = trace("a key", new Thing());
      CompletableFuture<Thing> first = collapser.executeAsync(key);
      CompletableFuture<Thing> hit = collapser.executeAsync(key);
      CompletableFuture<Thing> left = collapser.executeAsync(trace("another key", new Thing()));
      left.cancel(false);
      kept.addAll(List.of(first, hit, left));
    }
  }

  /** The same after calls that were in flight at the close have ended. */
  @ParameterizedTest
  @MethodSource("awayWays")
  void close_overCallsInFlight_leavesNothingWhenTheyHaveEnded(Way way) throws Exception {
    Command<Thing, Thing> slow =
        tenrec
            .command("Slow", (Thing thing) -> held())
            .isolation(way.isolation())
            .cacheKey(thing -> thing)
            .timeout(AN_HOUR)
            .build();
    Collapser<Thing, Thing> collapser =
        tenrec
            .collapser(
                "SlowBatch",
                (List<Thing> things) -> {
                  Thing answer = held();
                  return things.stream().collect(Collectors.toMap(thing -> thing, t -> answer));
                })
            .cacheKey(thing -> thing)
            .timerDelay(Duration.ofMillis(1))
            .timeout(AN_HOUR)
            .build();
    List<CompletableFuture<Thing>> open = new ArrayList<>();
    closeOver(slow, collapser, open);
    go.countDown();
    for (CompletableFuture<Thing> call : open) {
      call.handle((value, error) -> true).get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
    open.clear();
    assertGone();
  }

  private void closeOver(
      Command<Thing, Thing> slow,
      Collapser<Thing, Thing> collapser,
      List<CompletableFuture<Thing>> open)
      throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      traceRequest(request);
      trace("the variable's value", variable.get());
      Thing key = trace("a key", new Thing());
      open.add(slow.executeAsync(key));
      open.add(slow.executeAsync(key));
      open.add(collapser.executeAsync(key));
      open.add(collapser.executeAsync(key));
      assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private Thing held() throws InterruptedException {
    begun.countDown();
    go.await();
    return trace("the answer of " + Thread.currentThread().getName(), new Thing());
  }

  /** A call that was answered by its deadline, and whose work went on after the close. */
  @Test
  void close_overForsakenWork_leavesNothingWhenItHasStopped() throws Exception {
    Command<Thing, Thing> deaf =
        tenrec
            .command(
                "Deaf",
                (Thing thing) -> {
                  Uninterruptibly.await(go);
                  return trace("a late answer", new Thing());
                })
            .cacheKey(thing -> thing)
            .timeout(Duration.ofMillis(20))
            .build();
    closeOverAbandoned(deaf);
    go.countDown();
    LeakGuard.assertQuiet(tenrec);
    assertGone();
    assertThat(kept).hasSize(3);
  }

  private void closeOverAbandoned(Command<Thing, Thing> deaf) throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      traceRequest(request);
      trace("the variable's value", variable.get());
      Thing key = trace("a key", new Thing());
      Thing other = trace("another key", new Thing());
      CompletableFuture<Thing> first = deaf.executeAsync(other);
      CompletableFuture<Thing> hit = deaf.executeAsync(other);
      TestObserver<Thing> observer = deaf.toSingle(other).test();
      first.cancel(true);
      hit.cancel(true);
      observer.dispose();
      kept.addAll(List.of(first, hit, observer));
      assertThat(deaf.attempt(key).error()).isInstanceOf(CommandTimeoutException.class);
    }
  }
}
