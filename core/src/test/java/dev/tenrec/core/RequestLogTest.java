// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.context.RequestLog;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.request.RequestContextTest;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestLogTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).requestLogLimit(20).build();

  @AfterEach
  void close() {
    assertThat(tenrec.close(Duration.ofSeconds(60))).isEmpty();
  }

  static List<Isolation> isolations() {
    return RequestContextTest.isolations().toList();
  }

  private Command<String, String> taking(long millis, String key, Isolation isolation) {
    return tenrec
        .command(
            key,
            (String s) -> {
              time.advanceMillis(millis);
              return s;
            })
        .isolation(isolation)
        .cacheKey(s -> s.isEmpty() ? null : s)
        .build();
  }

  /** Rows 163, 166: hits included. */
  @ParameterizedTest
  @MethodSource("isolations")
  void log_afterCallsThroughAllDoors_hasEachOnce(Isolation isolation) {
    Command<String, String> command = taking(7, "Get", isolation);
    Command<String, String> failing =
        tenrec
            .<String, String>command(
                "Fail",
                (String s) -> {
                  throw new IllegalStateException(s);
                })
            .isolation(isolation)
            .fallback((s, cause) -> "instead")
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("")).isEmpty();
      assertThat(command.execute("a")).isEqualTo("a");
      assertThat(command.execute("a")).isEqualTo("a");
      assertThat(command.executeAsync("a").join()).isEqualTo("a");
      assertThat(command.toSingle("a").blockingGet()).isEqualTo("a");
      assertThat(command.attempt("a").value()).isEqualTo("a");
      assertThat(failing.execute("x")).isEqualTo("instead");
      assertThat(request.log())
          .hasToString(
              "Get[SUCCESS][14ms]x2, Get[SUCCESS, RESPONSE_FROM_CACHE][0ms]x4,"
                  + " Fail[FAILURE, FALLBACK_SUCCESS][0ms]");
      assertThat(request.log().entries()).hasSize(7);
    }
  }

  /** The first caller left; its run goes on for the others, and is a line of its own. */
  @Test
  void log_firstLeft_hasItsEndAndTheRuns() {
    CountDownLatch release = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .command(
                "Get",
                (String s) -> {
                  release.await();
                  return s;
                })
            .cacheKey(s -> s)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CompletableFuture<String> hit = command.executeAsync("a");
      assertThat(first.cancel(true)).isTrue();
      release.countDown();
      assertThat(hit.join()).isEqualTo("a");
      assertThat(request.log())
          .hasToString(
              "Get[CANCELLED][0ms], Get[SUCCESS][0ms], Get[SUCCESS, RESPONSE_FROM_CACHE][0ms]");
    }
  }

  /** Row 164, live. */
  @ParameterizedTest
  @MethodSource("isolations")
  void log_switchedOff_hasNothing(Isolation isolation) {
    Command<String, String> command = taking(1, "Get", isolation);
    try (RequestContext request = tenrec.openRequest()) {
      tenrec.set("tenrec.command.Get.requestLog.enabled", "false");
      assertThat(command.execute("")).isEmpty();
      assertThat(command.execute("a")).isEqualTo("a");
      assertThat(command.execute("a")).isEqualTo("a");
      assertThat(request.log().entries()).isEmpty();
      tenrec.clear("tenrec.command.Get.requestLog.enabled");
      assertThat(command.execute("a")).isEqualTo("a");
      assertThat(request.log()).hasToString("Get[SUCCESS, RESPONSE_FROM_CACHE][0ms]");
    }
  }

  /** Rows 161, 162. */
  @Test
  void call_withoutRequest_isWrittenNowhere() {
    Command<String, String> command = taking(1, "Get", Isolation.semaphore(1));
    assertThat(command.execute("")).isEmpty();
    RequestContext request = tenrec.openRequest();
    request.close();
    assertThat(command.execute("")).isEmpty();
    assertThat(request.log().entries()).isEmpty();
  }

  /** Row 165: what was beyond the limit is counted. */
  @Test
  void log_full_countsTheRest() {
    Command<String, String> command = taking(0, "Get", Isolation.semaphore(1));
    try (RequestContext request = tenrec.openRequest()) {
      for (int i = 0; i < 25; i++) {
        assertThat(command.execute("")).isEmpty();
      }
      assertThat(request.log().entries()).hasSize(20);
      assertThat(request.log().dropped()).isEqualTo(5);
    }
    assertThatThrownBy(() -> Unhurried.builder().requestLogLimit(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  /** Row 165: where nobody says how many. */
  @Test
  void log_byDefault_hasAThousandEntries() {
    try (Tenrec plain = Unhurried.builder().build()) {
      Command<String, String> command =
          plain.command("Get", (String s) -> s).isolation(Isolation.semaphore(1)).build();
      try (RequestContext request = plain.openRequest()) {
        for (int i = 0; i < 1_003; i++) {
          assertThat(command.execute("")).isEmpty();
        }
        assertThat(request.log().entries()).hasSize(1_000);
        assertThat(request.log().dropped()).isEqualTo(3);
      }
    }
  }

  /** Row 167: published when the request closes. */
  @Test
  void finishedRequests_onClose_hasTheLog() {
    Command<String, String> command = taking(7, "Get", Isolation.semaphore(1));
    TestSubscriber<FinishedRequest> heard = tenrec.finishedRequests().test();
    RequestContext request = tenrec.openRequest();
    assertThat(command.execute("a")).isEqualTo("a");
    heard.assertNoValues();
    request.close();
    request.close();
    tenrec.openRequest().close();
    await().untilAsserted(() -> heard.assertValueCount(2));
    FinishedRequest first = heard.values().get(0);
    assertThat(first.log()).hasToString("Get[SUCCESS][7ms]");
    assertThat(first.openFor()).isEqualTo(Duration.ofMillis(7));
    assertThat(request.log()).isEqualTo(first.log());
    tenrec.close();
    heard.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertComplete().assertValueCount(2);
    tenrec
        .finishedRequests()
        .test()
        .awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS)
        .assertResult();
  }

  @Test
  void finishedRequests_subscriberThatDoesNotAsk_losesTheOldest() throws Exception {
    ExecutorService callbacks = Executors.newSingleThreadExecutor();
    try (Tenrec own = Tenrec.builder().time(time, time).callbackExecutor(callbacks).build()) {
      TestSubscriber<FinishedRequest> slow = own.finishedRequests().test(0);
      TestSubscriber<FinishedRequest> quick = own.finishedRequests().test();
      for (int i = 0; i < Broadcast.BUFFER + 3; i++) {
        finish(own, i);
        callbacks.submit(() -> {}).get(); // all before it have been notified
      }
      quick.assertValueCount(Broadcast.BUFFER + 3);
      slow.request(Long.MAX_VALUE);
      slow.assertValueCount(Broadcast.BUFFER);
      assertThat(slow.values().get(0).openFor()).isEqualTo(Duration.ofNanos(3));
    } finally {
      callbacks.shutdown();
    }
  }

  private void finish(Tenrec tenrec, int nanos) {
    RequestContext request = tenrec.openRequest();
    time.advance(Duration.ofNanos(nanos));
    request.close();
  }

  /** Neither the requests nor the other subscribers wait for one that is busy. */
  @Test
  void finishedRequests_busySubscriber_losesTheOldestAndKeepsNobody() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    List<Duration> openFor = new CopyOnWriteArrayList<>();
    Disposable listening =
        tenrec
            .finishedRequests()
            .subscribe(
                finished -> {
                  openFor.add(finished.openFor());
                  busy.countDown();
                  release.await();
                });
    finish(tenrec, 0);
    busy.await();
    TestSubscriber<FinishedRequest> quick = tenrec.finishedRequests().test();
    int last = Broadcast.BUFFER + 7;
    for (int i = 1; i <= last; i++) {
      finish(tenrec, i);
      if (i % 500 == 0 || i == last) { // it is not to be slow itself
        int upTo = i;
        await().untilAsserted(() -> quick.assertValueCount(upTo));
      }
    }
    release.countDown();
    await().until(() -> openFor.size() == Broadcast.BUFFER + 1);
    assertThat(openFor).element(0).isEqualTo(Duration.ZERO);
    assertThat(openFor).element(1).isEqualTo(Duration.ofNanos(8));
    assertThat(openFor).last().isEqualTo(Duration.ofNanos(last));
    listening.dispose();
  }

  /** One that throws what Rx throws on gets nothing more; the others get everything. */
  @Test
  void finishedRequests_subscriberThatThrows_keepsNothingFromOthers() {
    Disposable bad =
        tenrec
            .finishedRequests()
            .subscribe(
                finished -> {
                  throw new NoClassDefFoundError("of a test");
                });
    TestSubscriber<FinishedRequest> good = tenrec.finishedRequests().test();
    for (int i = 0; i < 100; i++) {
      finish(tenrec, i);
    }
    await().untilAsserted(() -> good.assertValueCount(100));
    bad.dispose();
  }

  /** Work that ends after its request is not written into the next one. */
  @Test
  void call_endingAfterTheClose_isInNoOtherLog() {
    CountDownLatch release = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .command(
                "Get",
                (String s) -> {
                  release.await();
                  return s;
                })
            .build();
    RequestContext request = tenrec.openRequest();
    CompletableFuture<String> late = command.executeAsync("a");
    request.close();
    try (RequestContext next = tenrec.openRequest()) {
      release.countDown();
      assertThat(late.join()).isEqualTo("a");
      assertThat(next.log().entries()).isEmpty();
    }
    assertThat(request.log()).isInstanceOf(RequestLog.class);
  }

  /** Row 155: nothing keeps what a request had, neither threads nor timer nor cache. */
  @Test
  void close_request_keepsNothingOfIt() throws Exception {
    Map<String, WeakReference<Object>> gone = new LinkedHashMap<>();
    Command<Object, Object> command =
        tenrec
            .command("Get", (Object argument) -> new Object())
            .cacheKey(argument -> argument)
            .build();
    RequestVariable<Object> variable = tenrec.requestVariable(Object::new);
    useAndClose(command, variable, gone, false);
    useAndClose(command, variable, gone, true);
    assertThat(gone).hasSize(8);
    // the timer lets go of ended executions in its rounds, which need time to go on
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              time.advanceMillis(1_000);
              System.gc();
              assertThat(gone).allSatisfy((what, kept) -> assertThat(kept.get()).isNull());
            });
    Reference.reachabilityFence(command);
    Reference.reachabilityFence(variable);
  }

  private void useAndClose(
      Command<Object, Object> command,
      RequestVariable<Object> variable,
      Map<String, WeakReference<Object>> gone,
      boolean elsewhere)
      throws Exception {
    RequestContext request = tenrec.openRequest();
    Object key = new Object();
    Object result = command.executeAsync(key).join();
    assertThat(command.execute(key)).isSameAs(result);
    gone.put("key, closed elsewhere: " + elsewhere, new WeakReference<>(key));
    gone.put("result, closed elsewhere: " + elsewhere, new WeakReference<>(result));
    gone.put("variable, closed elsewhere: " + elsewhere, new WeakReference<>(variable.get()));
    gone.put("request, closed elsewhere: " + elsewhere, new WeakReference<>(request));
    if (elsewhere) {
      Thread closer = new Thread(request::close);
      closer.start();
      closer.join();
    } else {
      request.close();
    }
  }
}
