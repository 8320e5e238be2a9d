// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** What a test leaves is found, named, and fails the test. */
class LeaksTest {

  @Test
  void request_leftOpen_isFoundAndClosed() {
    TestTenrec test = TestTenrec.create();
    test.tenrec().openRequest();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(test::close)
        .withMessageContaining("a request that this thread is still at");
    assertThat(test.tenrec().currentRequest()).isEmpty();
  }

  @Test
  void requests_leftOpenWithinEachOther_areAllFoundAndClosed() {
    TestTenrec test = TestTenrec.create();
    RequestContext outer = test.tenrec().openRequest();
    RequestContext inner = test.tenrec().openRequest();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(test::close)
        .satisfies(
            thrown ->
                assertThat(thrown.getMessage().split("a request that this thread is still at"))
                    .hasSize(3));
    assertThat(outer.isClosed()).isTrue();
    assertThat(inner.isClosed()).isTrue();
    assertThat(test.tenrec().currentRequest()).isEmpty();
  }

  /** What is wrong with a test that has failed is something else; its requests end all the same. */
  @Test
  void requests_ofATestThatHasFailed_areClosedWithoutAWord() throws Exception {
    TestTenrec test = TestTenrec.create();
    Command<String, String> echo = test.tenrec().command("Echo", (String a) -> a).build();
    AtomicReference<RequestContext> elsewhere = new AtomicReference<>();
    onAnotherThread(
        () -> {
          elsewhere.set(test.tenrec().openRequest());
          echo.execute("a");
        });
    RequestContext outer = test.tenrec().openRequest();
    RequestContext inner = test.tenrec().openRequest();
    test.abandon();
    assertThat(List.of(outer, inner, elsewhere.get())).allMatch(RequestContext::isClosed);
    assertThat(test.tenrec().currentRequest()).isEmpty();
  }

  @Test
  void request_leftOpenInRealTime_isFound() {
    TestTenrec test = TestTenrec.inRealTime(builder -> builder.requestLogLimit(10));
    assertThatIllegalStateException().isThrownBy(test::time).withMessageContaining("real time");
    Command<String, String> echo =
        test.tenrec()
            .command("Echo", (String a) -> a)
            .timeout(Duration.ofMillis(5)) // which comes by itself
            .build();
    test.faults().on("Echo").hold();
    assertThat(echo.attempt("a").has(EventType.TIMEOUT)).isTrue();
    test.tenrec().openRequest();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(test::close)
        .withMessageContaining("a request that this thread is still at");
    assertThat(test.tenrec().liveThreads()).isZero();
  }

  /** It may be closed on any thread; the one that opened it has nothing to do then. */
  @Test
  void request_closedByAnotherThread_isNoLeak() throws Exception {
    TestTenrec test = TestTenrec.create();
    RequestContext request = test.tenrec().openRequest();
    onAnotherThread(request::close);
    assertThat(test.tenrec().currentRequest()).as("an empty shell").isPresent();
    test.close();
    assertThat(test.tenrec().currentRequest()).isEmpty();
  }

  /** On a pool and on its caller's thread: the work knows at which request it is. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void request_leftOpenByAnotherThread_isFoundByItsWorkAndClosed(boolean pool) throws Exception {
    TestTenrec test = TestTenrec.create();
    CommandBuilder<String, String> builder = test.tenrec().command("Echo", (String a) -> a);
    Command<String, String> echo =
        (pool ? builder : builder.isolation(Isolation.semaphore(1))).build();
    AtomicReference<RequestContext> left = new AtomicReference<>();
    onAnotherThread(
        () -> {
          left.set(test.tenrec().openRequest());
          echo.execute("a");
          echo.execute("b");
        });
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Leaks.assertNone(test.tenrec(), test.faults(), Duration.ofMillis(5)))
        .withMessageContaining("a request that is still open, in which was called: Echo[SUCCESS]");
    assertThat(left.get().isClosed()).isTrue();
    test.close();
  }

  @Test
  void request_leftBeforeItsEnd_isFoundByItsWork() {
    TestTenrec test = TestTenrec.create();
    RequestContext request = test.tenrec().openRequest();
    test.tenrec().command("Echo", (String a) -> a).build().execute("a");
    request.leave();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Leaks.assertNone(test.tenrec(), test.faults(), Duration.ofMillis(5)))
        .withMessageContaining("a request that is still open")
        .withMessageNotContaining("this thread is still at");
    test.close();
  }

  @Test
  void requests_thatWereClosed_areNoLeak() throws Exception {
    TestTenrec test = TestTenrec.create();
    Command<String, String> echo = test.tenrec().command("Echo", (String a) -> a).build();
    try (RequestContext outer = test.tenrec().openRequest();
        RequestContext inner = test.tenrec().openRequest()) {
      echo.execute("a");
    }
    onAnotherThread(
        () -> {
          try (RequestContext request = test.tenrec().openRequest()) {
            echo.execute("b");
          }
        });
    test.close();
    assertThat(test.tenrec().liveThreads()).isZero();
  }

  @Test
  void deadline_leftOpen_isFound() {
    TestTenrec test = TestTenrec.create();
    Scope scope = Deadline.after(test.tenrec(), Duration.ofSeconds(1)).open();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Leaks.assertNone(test.tenrec()))
        .withMessageContaining("a deadline that this thread is still within");
    scope.close();
    test.close();
  }

  /** As a propagator of an application's, which puts back what was there before, or does not. */
  private static ContextPropagator tenants(ThreadLocal<String> tenant, boolean putsBack) {
    return () -> {
      String callers = tenant.get();
      return () -> {
        String before = tenant.get();
        tenant.set(callers);
        return () -> {
          if (putsBack) {
            tenant.set(before);
          }
        };
      };
    };
  }

  @Test
  void value_thatAPropagatorLeft_isFoundOnItsThread() {
    ThreadLocal<String> tenant = new ThreadLocal<>();
    TestTenrec test = TestTenrec.create(builder -> builder.propagate(tenants(tenant, false)));
    test.watch("tenant", tenant::get);
    Command<String, String> echo =
        test.tenrec().command("Echo", (String a) -> a + tenant.get()).build();
    tenant.set("acme");
    assertThat(echo.execute("a")).isEqualTo("aacme");
    tenant.remove();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(test::close)
        .withMessageContaining("a value on thread 'tenrec-Echo-1'")
        .withMessageContaining("tenant was null before a call, and acme after it");
  }

  /** Whatever the work itself does: putting back is the propagator's part. */
  @Test
  void value_thatIsPutBack_isNoLeak() {
    ThreadLocal<String> tenant = new ThreadLocal<>();
    TestTenrec test = TestTenrec.create(builder -> builder.propagate(tenants(tenant, true)));
    test.watch("tenant", tenant::get);
    Command<String, String> careless =
        test.tenrec()
            .<String, String>command(
                "Careless",
                a -> {
                  tenant.set("of the work");
                  throw new IllegalStateException(a);
                })
            .fallback(
                (a, cause) -> {
                  tenant.set("of the fallback");
                  return a;
                })
            .build();
    tenant.set("acme");
    assertThat(careless.executeAsync("a").join()).isEqualTo("a");
    tenant.remove();
    test.close();
    assertThat(test.tenrec().liveThreads()).isZero();
  }

  @Test
  void value_leftOnTheTestsThread_isFound() {
    ThreadLocal<String> tenant = new ThreadLocal<>();
    tenant.set("of before");
    TestTenrec test = TestTenrec.create();
    test.watch("tenant", tenant::get);
    tenant.set("acme");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(test::close)
        .withMessageContaining(
            "a value on this thread: tenant was of before when the watch began, and is acme");
  }

  private static void onAnotherThread(Runnable task) throws InterruptedException {
    Thread thread = new Thread(task, "another");
    thread.start();
    thread.join();
  }

  @Test
  void work_thatNeverEnds_isFoundAsAPermitAndAThread() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    TestTenrec test = TestTenrec.create();
    Command<String, String> stuck =
        test.tenrec()
            .command(
                "Stuck",
                (String a) -> {
                  began.countDown();
                  awaitWhateverComes(end);
                  return a;
                })
            .withoutTimeout()
            .build();
    stuck.executeAsync("a");
    began.await();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Leaks.assertNone(test.tenrec(), test.faults(), Duration.ofMillis(50)))
        .withMessageContaining("1 permits out, of command 'Stuck'");
    test.time().release(); // as closing the kit does
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                Leaks.assertNoneAndClose(
                    test.tenrec(), test.faults(), List::of, Duration.ofMillis(50)))
        .withMessageContaining("1 permits out, of command 'Stuck'")
        .withMessageContaining(
            "still running after the end: StillRunning[thread=tenrec-Stuck-1, commandKey=Stuck,"
                + " calls=1")
        .withMessageContaining("threads alive after the end");
    end.countDown();
    await().until(() -> test.tenrec().liveThreads() == 0);
  }

  private static void awaitWhateverComes(CountDownLatch end) {
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException e) {
        // as a driver that does not care
      }
    }
  }

  @Test
  void heldWork_atTheEnd_isLetGo() {
    TestTenrec test = TestTenrec.create();
    Command<String, String> echo = // closing lets time go on, and a thread may be held up
        test.tenrec().command("Echo", (String a) -> a).withoutTimeout().build();
    HeldCalls held = test.faults().on("Echo").hold();
    var call = echo.executeAsync("a");
    held.await(1);
    test.close();
    assertThat(call.join()).isEqualTo("a");
    assertThat(test.tenrec().liveThreads()).isZero();
  }

  @Test
  void time_goingBack_isRefused() {
    VirtualTime time = new VirtualTime();
    long before = time.nanoTime();
    assertThatIllegalArgumentException().isThrownBy(() -> time.advance(Duration.ofNanos(-1)));
    time.advance(Duration.ofNanos(7));
    assertThat(time.nanoTime() - before).isEqualTo(7);
  }

  private static boolean asked;

  static boolean isAsked() {
    return asked;
  }

  /** Run by the test below only. */
  @EnabledIf("dev.tenrec.test.LeaksTest#isAsked")
  @ExtendWith(TenrecExtension.class)
  static class Careless {

    @Test
    void leavesARequest(Tenrec tenrec) {
      tenrec.openRequest();
    }

    @Test
    void leavesNothing(Tenrec tenrec, TestTenrec test, VirtualTime time, Faults faults) {
      assertThat(test.tenrec()).isSameAs(tenrec);
      assertThat(test.time()).isSameAs(time);
      assertThat(test.faults()).isSameAs(faults);
    }

    @Test
    void failsByItself(Tenrec tenrec) {
      tenrec.openRequest();
      throw new IllegalStateException("its own");
    }
  }

  @Test
  void extension_ofTestsThatLeaveThings_failsThose() {
    TestExecutionSummary summary;
    asked = true;
    try {
      summary = Played.tests(Careless.class);
    } finally {
      asked = false;
    }
    assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
    assertThat(summary.getFailures())
        .extracting(failure -> failure.getException().getMessage())
        .satisfiesExactlyInAnyOrder(
            message -> assertThat(message).contains("a request that this thread is still at"),
            message -> assertThat(message).isEqualTo("its own"));
  }
}
