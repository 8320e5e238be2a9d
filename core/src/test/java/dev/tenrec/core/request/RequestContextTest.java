// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.RequestVariable;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Unhurried;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

public class RequestContextTest {

  private final Tenrec tenrec = Unhurried.tenrec();
  private final RequestVariable<String> user = tenrec.requestVariable(() -> "nobody");
  private final ExecutorService own = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    own.shutdownNow();
    assertThat(tenrec.close(Duration.ofSeconds(60))).isEmpty();
  }

  public static Stream<Isolation> isolations() {
    return Runtime.version().feature() >= 21
        ? Stream.of(Isolation.semaphore(10), Isolation.threadPool(), Isolation.virtualThreads(10))
        : Stream.of(Isolation.semaphore(10), Isolation.threadPool());
  }

  /** Rows 157 and 158. */
  @ParameterizedTest
  @MethodSource("isolations")
  void request_open_isSeenByWorkAndFallback(Isolation isolation) {
    Command<String, String> greet =
        tenrec.command("Greet", (String s) -> s + " " + user.get()).isolation(isolation).build();
    Command<String, String> fail =
        tenrec
            .<String, String>command(
                "Fail",
                (String s) -> {
                  throw new IllegalArgumentException(s);
                })
            .isolation(isolation)
            .fallback((s, cause) -> "instead, " + user.get())
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      user.set("ann");
      assertThat(greet.execute("hello")).isEqualTo("hello ann");
      assertThat(greet.executeAsync("hello").join()).isEqualTo("hello ann");
      assertThat(greet.toSingle("hello").blockingGet()).isEqualTo("hello ann");
      assertThat(greet.attempt("hello").value()).isEqualTo("hello ann");
      assertThat(fail.execute("x")).isEqualTo("instead, ann");
      assertThat(fail.executeAsync("x").join()).isEqualTo("instead, ann");
    }
    assertThat(greet.attempt("hello").error())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("at none");
  }

  /** Row 157, time-outs: the fallback runs on the callback executor. */
  @Test
  void request_open_isSeenByFallbackAfterTimeout() {
    CountDownLatch never = new CountDownLatch(1);
    Command<String, String> slow =
        tenrec
            .command(
                "Slow",
                (String s) -> {
                  never.await();
                  return s;
                })
            .timeout(Duration.ofMillis(20))
            .fallback((s, cause) -> "instead, " + user.get())
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      user.set("ann");
      assertThat(slow.executeAsync("x").join()).isEqualTo("instead, ann");
    }
  }

  /** A stage completed by a thread that is at another request. */
  @Test
  void request_left_staysOpen_andTheThreadIsBackAtTheOneItHid() {
    try (RequestContext outer = tenrec.openRequest();
        RequestContext inner = tenrec.openRequest()) {
      outer.leave();
      assertThat(tenrec.currentRequest()).as("not at the one that is left").isPresent();
      inner.leave();
      assertThat(inner.isClosed()).isFalse();
      assertThat(outer.isClosed()).isFalse();
      outer.leave();
      assertThat(tenrec.currentRequest()).isEmpty();
      assertThat(inner.wrapSupplier(() -> tenrec.currentRequest().isPresent()).get()).isTrue();
    }
    assertThat(tenrec.currentRequest()).isEmpty();
  }

  @Test
  void request_ofACompletingThread_isNotSeenByTheFallback() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> staged =
        tenrec
            .asyncCommand("Staged", (String s) -> stage)
            .fallback((s, cause) -> String.valueOf(tenrec.currentRequest().isPresent()))
            .build();
    try (RequestContext earlier = tenrec.openRequest()) {
      assertThat(user.get()).isEqualTo("nobody");
    }
    CompletableFuture<String> answer = staged.executeAsync("x");
    try (RequestContext others = tenrec.openRequest()) {
      assertThat(stage.completeExceptionally(new IllegalStateException("no"))).isTrue();
      assertThat(tenrec.currentRequest()).isPresent();
    }
    assertThat(answer.join()).isEqualTo("false");
  }

  /** What work opens and forgets does not stay in the pool's thread. */
  @Test
  void request_openedByWorkAndForgotten_leavesNothingInItsThread() {
    Command<String, String> forgetful =
        tenrec
            .command(
                "Forgetful",
                (String s) -> {
                  boolean before = tenrec.currentRequest().isPresent();
                  RequestContext forgotten = tenrec.openRequest();
                  return before + " " + forgotten.isClosed();
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .build();
    tenrec.openRequest().close();
    assertThat(forgetful.execute("x")).isEqualTo("false false");
    assertThat(forgetful.execute("x")).isEqualTo("false false");
  }

  /** Row 156, and the way to do otherwise. */
  @Test
  void request_ownThread_isSeenWhenWrappedOnly() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      user.set("ann");
      assertThat(own.submit(() -> tenrec.currentRequest().isPresent()).get()).isFalse();
      assertThat(own.submit(request.wrap(user::get)).get()).isEqualTo("ann");
      assertThat(own.submit(request.wrapSupplier(user::get)::get).get()).isEqualTo("ann");
      List<String> seen = Stream.of("").map(s -> s).collect(java.util.stream.Collectors.toList());
      own.submit(request.wrap(() -> seen.set(0, user.get()))).get();
      assertThat(seen).containsExactly("ann");
      assertThat(own.submit(() -> tenrec.currentRequest().isPresent()).get()).isFalse();
    }
  }

  @Test
  void request_wrappedExecutor_isSeenByStagesAndRx() {
    try (RequestContext request = tenrec.openRequest()) {
      user.set("ann");
      Command<String, String> hello = tenrec.command("Hello", (String s) -> "hello " + s).build();
      assertThat(
              hello
                  .executeAsync("dear")
                  .thenApplyAsync(s -> s + " " + user.get(), request.wrap(own))
                  .join())
          .isEqualTo("hello dear ann");
      Single<String> single =
          hello
              .toSingle("dear")
              .observeOn(Schedulers.from(request.wrap(own)))
              .map(s -> s + " " + user.get());
      assertThat(single.blockingGet()).isEqualTo("hello dear ann");
    }
  }

  /** Row 155, without the quirk: its last holder gets an error. */
  @Test
  void request_closed_isReportedToItsHolders() throws Exception {
    RequestContext request = tenrec.openRequest();
    own.submit(request::close).get();
    assertThat(request.isClosed()).isTrue();
    assertThatThrownBy(user::get)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a request variable needs an open request")
        .hasMessageContaining("has been closed")
        .hasMessageContaining("tenrec.openRequest()")
        .hasMessageContaining("request.wrap(");
    assertThatThrownBy(() -> request.wrapSupplier(user::get).get())
        .hasMessageContaining("has been closed");
    try (RequestContext next = tenrec.openRequest()) {
      assertThat(user.get()).isEqualTo("nobody");
    }
    assertThat(tenrec.currentRequest()).isEmpty();
  }

  /** Row 159. */
  @Test
  void variable_withoutARequest_refusesEachMethod() {
    List<ThrowingCallable> methods = List.of(user::get, () -> user.set("ann"), () -> user.remove());
    assertThat(methods)
        .allSatisfy(
            method ->
                assertThatThrownBy(method)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a request variable needs an open request"));
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(user.get()).isEqualTo("nobody");
    }
  }

  @Test
  void request_nested_hidesTheOuterOne() {
    try (RequestContext outer = tenrec.openRequest()) {
      user.set("ann");
      try (RequestContext inner = tenrec.openRequest()) {
        assertThat(user.get()).isEqualTo("nobody");
        user.set("bob");
      }
      assertThat(user.get()).isEqualTo("ann");
    }
    assertThat(tenrec.currentRequest()).isEmpty();
  }

  @Test
  void request_nestedClosedOutOfOrder_leavesNothing() throws Exception {
    RequestContext outer = tenrec.openRequest();
    RequestContext middle = tenrec.openRequest();
    RequestContext inner = tenrec.openRequest();
    user.set("inner");
    outer.close();
    own.submit(middle::close).get();
    assertThat(user.get()).isEqualTo("inner");
    inner.close();
    inner.close();
    assertThat(tenrec.currentRequest()).isEmpty();
  }

  /** Row 154: every variable is closed, although another one's closing throws. */
  @Test
  void close_variableThrows_closesTheOthers() {
    AtomicInteger closed = new AtomicInteger();
    List<RequestVariable<Integer>> variables =
        Stream.generate(
                () ->
                    tenrec.<Integer>requestVariable(
                        closed::get,
                        value -> {
                          closed.incrementAndGet();
                          throw new IllegalStateException("does not close");
                        }))
            .limit(3)
            .toList();
    try (RequestContext request = tenrec.openRequest()) {
      variables.forEach(variable -> assertThat(variable.get()).isZero());
      variables.get(0).set(7);
      assertThatThrownBy(() -> variables.get(1).remove()).hasMessage("does not close");
      assertThat(closed).hasValue(1);
    }
    assertThat(closed).hasValue(3);
  }

  /**
   * What a value does as it is closed, it does at the request it belongs to, not at an outer one.
   */
  @Test
  void close_ofAnInnerRequest_closesItsValuesThere() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    RequestContext[] inner = new RequestContext[1];
    RequestVariable<String> probe =
        tenrec.requestVariable(
            () -> "probe",
            value ->
                seen.add(
                    tenrec.currentRequest().orElseThrow().isClosed() ? "at its own" : "elsewhere"));
    try (RequestContext outer = tenrec.openRequest()) {
      inner[0] = tenrec.openRequest();
      assertThat(probe.get()).isEqualTo("probe");
      inner[0].close();
      inner[0] = tenrec.openRequest();
      assertThat(probe.get()).isEqualTo("probe");
      own.submit(inner[0]::close).get();
      assertThat(own.submit(tenrec::currentRequest).get()).isEmpty();
      assertThat(outer.isClosed()).isFalse();
    }
    assertThat(seen).containsExactly("at its own", "at its own");
  }

  @Test
  void request_ofOneTenrec_isNotAnothers() {
    try (Tenrec other = Unhurried.tenrec();
        RequestContext request = tenrec.openRequest()) {
      assertThat(other.currentRequest()).isEmpty();
    }
  }

  /** A task of a request that is closed meanwhile must not go on in another, on any thread. */
  @Test
  void request_closedInATaskOfItsOwn_isNotLeftForTheOneItHid() throws Exception {
    try (RequestContext outer = tenrec.openRequest()) {
      user.set("outer");
      RequestContext inner = tenrec.openRequest();
      Runnable task =
          inner.wrap(
              () -> {
                inner.close();
                assertThatThrownBy(user::get).hasMessageContaining("has been closed");
                try (RequestContext another = tenrec.openRequest()) {
                  assertThat(user.get()).isEqualTo("nobody");
                }
                assertThatThrownBy(user::get).hasMessageContaining("has been closed");
              });
      task.run();
      assertThat(user.get()).as("back at the one it hid").isEqualTo("outer");
      own.submit(task).get();
      task.run();
      assertThat(user.get()).isEqualTo("outer");
    }
    assertThat(tenrec.currentRequest()).isEmpty();
  }

  /** Only the thread that opened both may go back to the one that is hidden. */
  @Test
  void request_leftByAThreadThatDidNotOpenIt_leavesThatAtNone() throws Exception {
    try (RequestContext outer = tenrec.openRequest()) {
      user.set("outer");
      try (RequestContext inner = tenrec.openRequest()) {
        Runnable leaving =
            inner.wrap(
                () -> {
                  inner.leave();
                  assertThat(tenrec.currentRequest()).isEmpty();
                });
        own.submit(leaving).get();
        assertThat(own.submit(() -> tenrec.currentRequest()).get()).isEmpty();
        assertThat(user.get()).as("here").isEqualTo("nobody");
      }
      assertThat(user.get()).isEqualTo("outer");
    }
  }

  @Test
  void request_closedInATaskOfAnother_isLeftForTheOneItHid() throws Exception {
    RequestContext another =
        own.submit(
                () -> {
                  RequestContext opened = tenrec.openRequest();
                  opened.leave();
                  return opened;
                })
            .get();
    try (RequestContext outer = tenrec.openRequest()) {
      user.set("outer");
      RequestContext inner = tenrec.openRequest();
      another
          .wrap(
              () -> {
                inner.close();
                assertThat(user.get()).isEqualTo("nobody");
              })
          .run();
      assertThat(user.get()).as("back at the one it hid").isEqualTo("outer");
    }
    assertThat(tenrec.currentRequest()).isEmpty();
    another.close();
  }
}
