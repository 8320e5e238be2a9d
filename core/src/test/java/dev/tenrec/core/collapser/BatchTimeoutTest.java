// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.RequestVariable;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Members of a batch do not wait for work beyond its time-out, wherever that runs: on a semaphore
 * the work is on the thread that has started the batch, and no member is.
 */
@OwnThread
class BatchTimeoutTest {

  private static final Duration TIMEOUT = Duration.ofMillis(200);

  /** What a batch function may be given. */
  enum Form {
    OF_ARGUMENTS,
    OF_ARGUMENTS_AND_CALL
  }

  static Stream<Arguments> ways() {
    return Way.all().stream()
        .filter(way -> way != Way.STAGE)
        .flatMap(
            way -> Stream.of(Form.values()).map(form -> Arguments.of(way.isolation(20), form)));
  }

  private final ManualTime time = new ManualTime();
  private final CountDownLatch atWork = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());

  /** Before the guard looks. */
  @AfterEach
  void release() {
    release.countDown();
  }

  private Map<Integer, String> held(List<Integer> ids) {
    atWork.countDown();
    Uninterruptibly.await(release);
    return all(ids, "late");
  }

  private static Map<Integer, String> all(List<Integer> ids, String answer) {
    return ids.stream().collect(Collectors.toMap(Function.identity(), id -> answer));
  }

  private CollapserBuilder<Integer, String> collapser(Isolation isolation, Form form) {
    CollapserBuilder<Integer, String> builder =
        form == Form.OF_ARGUMENTS
            ? tenrec.collapser("Held", (List<Integer> ids) -> held(ids))
            : tenrec.collapser("Held", (List<Integer> ids, Call call) -> held(ids));
    return builder.isolation(isolation).maxRequestsInBatch(2).timeout(TIMEOUT);
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  private static @Nullable Throwable error(CompletableFuture<?> future) throws Exception {
    return get(future.<@Nullable Throwable>handle((value, error) -> error));
  }

  private void awaitTimer() {
    await()
        .until(
            () -> time.waiting().stream().anyMatch(thread -> thread.getName().contains("timer")));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void work_thatOutlastsTheTimeout_keepsNoMember(Isolation isolation, Form form) throws Exception {
    Collapser<Integer, String> collapser = collapser(isolation, form).globalScope().build();
    CompletableFuture<String> first = collapser.executeAsync(1);
    CompletableFuture<String> second = collapser.executeAsync(2);
    Uninterruptibly.await(atWork);
    awaitTimer();
    time.advance(TIMEOUT.minusMillis(1));
    awaitTimer();
    assertThat(first).isNotDone();
    time.advanceMillis(1);

    assertThat(error(first)).isInstanceOf(CommandTimeoutException.class);
    assertThat(error(second)).isSameAs(error(first));
    assertThat(collapser.batchView().cumulativeCount(EventType.TIMEOUT)).isEqualTo(1);
    release.countDown();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void fallback_ofWorkThatOutlastsTheTimeout_answersTheMembers(Isolation isolation, Form form)
      throws Exception {
    Collapser<Integer, String> collapser =
        collapser(isolation, form)
            .globalScope()
            .fallback((ids, cause) -> all(ids, "instead"))
            .build();
    CompletableFuture<String> first = collapser.executeAsync(1);
    CompletableFuture<String> second = collapser.executeAsync(2);
    Uninterruptibly.await(atWork);
    time.advance(TIMEOUT);

    assertThat(get(first)).isEqualTo("instead");
    assertThat(get(second)).isEqualTo("instead");
    release.countDown();
    await().until(() -> collapser.batchView().concurrency() == 0);
    assertThat(collapser.batchView().cumulativeCount(EventType.TIMEOUT)).isEqualTo(1);
    assertThat(collapser.batchView().cumulativeCount(EventType.FALLBACK_SUCCESS)).isEqualTo(1);
    assertThat(collapser.batchView().cumulativeCount(EventType.EXCEPTION_THROWN)).isZero();
  }

  /** It runs on another thread than the batch did. */
  @ParameterizedTest
  @MethodSource("ways")
  void fallback_ofWorkThatOutlastsTheTimeout_isAtTheRequest(Isolation isolation, Form form)
      throws Exception {
    RequestVariable<String> user = tenrec.requestVariable(() -> "nobody");
    Collapser<Integer, String> collapser =
        collapser(isolation, form).fallback((ids, cause) -> all(ids, user.get())).build();
    try (RequestContext request = tenrec.openRequest()) {
      user.set("ann");
      CompletableFuture<String> first = collapser.executeAsync(1);
      CompletableFuture<String> second = collapser.executeAsync(2);
      Uninterruptibly.await(atWork);
      time.advance(TIMEOUT);

      assertThat(get(first)).isEqualTo("ann");
      assertThat(get(second)).isEqualTo("ann");
    }
    release.countDown();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void close_whileAFallbackRunsBesideItsWork_endsTheMembers(Isolation isolation, Form form)
      throws Exception {
    CountDownLatch atFallback = new CountDownLatch(1);
    Collapser<Integer, String> collapser =
        collapser(isolation, form)
            .globalScope()
            .fallback(
                (ids, cause) -> {
                  atFallback.countDown();
                  Uninterruptibly.await(release);
                  return all(ids, "too late");
                })
            .build();
    CompletableFuture<String> first = collapser.executeAsync(1);
    CompletableFuture<String> second = collapser.executeAsync(2);
    Uninterruptibly.await(atWork);
    time.advance(TIMEOUT);
    await().until(() -> atFallback.getCount() == 0);

    Future<?> closed = Elsewhere.call(() -> tenrec.close(Duration.ZERO));
    await()
        .until(
            () -> {
              time.advanceMillis(10);
              return first.isDone() && second.isDone();
            });

    assertThat(first).isCancelled();
    assertThat(second).isCancelled();
    release.countDown();
    await()
        .until(
            () -> {
              time.advanceMillis(10);
              return closed.isDone();
            });
  }
}
