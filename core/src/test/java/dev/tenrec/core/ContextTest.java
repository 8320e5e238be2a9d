// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Tenant;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import io.micrometer.context.ContextRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.spi.MDCAdapter;

/**
 * What is bound to the caller's thread follows the call, by SLF4J's MDC, Micrometer's registry and
 * a propagator of the application's.
 */
class ContextTest {

  private static final String ACCESSOR = "dev.tenrec.core.ContextTest";

  private final ThreadLocal<String> registered = new ThreadLocal<>();
  private final Tenant first = new Tenant();
  private final Tenant tenant = new Tenant();
  private final ManualTime time = new ManualTime();
  private MDCAdapter before = MDC.getMDCAdapter();
  private final HeldWork held = HeldWork.polite();
  private Tenrec tenrec;

  @BeforeEach
  void putOn() throws ReflectiveOperationException {
    before = MDC.getMDCAdapter();
    useAdapter(new BasicMDCAdapter()); // the logger of these tests has none
    ContextRegistry.getInstance().registerThreadLocalAccessor(ACCESSOR, registered);
    tenrec = Tenrec.builder().time(time, time).propagate(first).propagate(tenant).build();
    first.set("f1");
    tenant.set("t1");
    registered.set("r1");
    MDC.put("request", "m1");
  }

  @AfterEach
  void takeOff() throws ReflectiveOperationException {
    assertThat(here()).as("the caller keeps its own").isEqualTo("m1 r1 t1");
    tenant.set(null);
    registered.remove();
    MDC.clear();
    held.letGo();
    tenant.failAt("");
    Elsewhere.close(tenrec, time);
    assertThat(tenrec.liveThreads()).isZero();
    assertThat(first.found()).as("nor of what was installed before").isEmpty();
    assertThat(tenant.found()).as("nothing is left on a thread").isEmpty();
    ContextRegistry.getInstance().removeThreadLocalAccessor(ACCESSOR);
    useAdapter(before);
  }

  private static void useAdapter(MDCAdapter adapter) throws ReflectiveOperationException {
    Method set = MDC.class.getDeclaredMethod("setMDCAdapter", MDCAdapter.class);
    set.setAccessible(true);
    set.invoke(null, adapter);
  }

  private String here() {
    return MDC.get("request") + " " + registered.get() + " " + tenant.get();
  }

  private String thereOn(String unused) {
    return Thread.currentThread().getName().replaceAll("-\\d+$", "") + ": " + here();
  }

  @Test
  void work_onAPool_hasItThroughEveryDoor() {
    Command<String, String> command = tenrec.command("C", (String s) -> thereOn(s)).build();
    assertThat(command.execute("x")).isEqualTo("tenrec-C: m1 r1 t1");
    assertThat(command.executeAsync("x").join()).isEqualTo("tenrec-C: m1 r1 t1");
    assertThat(command.toSingle("x").blockingGet()).isEqualTo("tenrec-C: m1 r1 t1");
    assertThat(command.attempt("x").value()).isEqualTo("tenrec-C: m1 r1 t1");
    assertThat(tenant.captures()).as("once a call").isEqualTo(4);
  }

  @Test
  void work_ofACallerWithout_hasNoneEither() {
    Command<String, String> command =
        tenrec
            .command("C", (String s) -> here())
            .isolation(Isolation.threadPool().coreSize(1))
            .build();
    assertThat(command.execute("x")).isEqualTo("m1 r1 t1");
    CompletableFuture<String> other = Elsewhere.call(() -> command.execute("x"));
    assertThat(other.join()).isEqualTo("null null null");
    assertThat(command.execute("x")).isEqualTo("m1 r1 t1");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void work_onAVirtualThread_hasIt() {
    Command<String, String> command =
        tenrec
            .command("C", (String s) -> thereOn(s))
            .isolation(Isolation.virtualThreads(1))
            .build();
    assertThat(command.execute("x")).isEqualTo("tenrec-C: m1 r1 t1");
    assertThat(command.executeAsync("x").join()).isEqualTo("tenrec-C: m1 r1 t1");
  }

  @Test
  void work_onTheCallersThread_needsNoCapture() {
    Command<String, String> command =
        tenrec
            .command("C", (String s) -> here())
            .isolation(Isolation.semaphore(1))
            .fallback((s, cause) -> here())
            .build();
    assertThat(command.execute("x")).isEqualTo("m1 r1 t1");
    assertThat(command.executeAsync("x").join()).isEqualTo("m1 r1 t1");
    assertThat(tenant.captures()).isZero();
  }

  @Test
  void fallback_onAPoolsThread_hasIt() {
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "C",
                (String s) -> {
                  MDC.put("request", "changed");
                  tenant.set("changed");
                  throw new IllegalStateException(s);
                })
            .fallback((s, cause) -> thereOn(s))
            .build();
    assertThat(command.executeAsync("x").join())
        .as("the caller's, not the work's")
        .isEqualTo("tenrec-C: m1 r1 t1");
    assertThat(command.execute("x"))
        .as("a caller that waits runs it itself")
        .isEqualTo(thereOn("x"));
  }

  @Test
  void fallback_ofAStage_hasItOnTheStagesThread() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec.asyncCommand("C", (String s) -> stage).fallback((s, cause) -> thereOn(s)).build();
    CompletableFuture<String> answer = command.executeAsync("x");
    CompletableFuture<String> after =
        Elsewhere.call(
            () -> {
              stage.completeExceptionally(new IllegalStateException("x"));
              return here();
            });
    assertThat(answer.join()).isEqualTo("caller: m1 r1 t1");
    assertThat(after.join()).as("and that thread is as before").isEqualTo("null null null");
  }

  @Test
  void fallback_ofATimeout_hasItOnTheCallbackExecutor() {
    Command<String, String> command =
        tenrec
            .command("C", held)
            .timeout(Duration.ofMillis(100))
            .fallback((s, cause) -> thereOn(s))
            .build();
    CompletableFuture<String> answer = command.executeAsync("x");
    held.awaitRunning(1);
    time.advanceMillis(100);
    assertThat(answer.join()).isEqualTo("tenrec-callback: m1 r1 t1");
    Command<String, String> stage =
        tenrec
            .asyncCommand("S", (String s) -> new CompletableFuture<String>())
            .timeout(Duration.ofMillis(100))
            .fallback((s, cause) -> thereOn(s))
            .build();
    CompletableFuture<String> second = stage.executeAsync("x");
    time.advanceMillis(100);
    assertThat(second.join()).isEqualTo("tenrec-callback: m1 r1 t1");
  }

  @Test
  void fallback_ofARejection_runsInTheCallersOwn() {
    Command<String, String> command =
        tenrec.command("C", held).fallback((s, cause) -> here()).build();
    tenrec.set("tenrec.command.C.circuitBreaker.forceOpen", "true");
    assertThat(command.execute("x")).isEqualTo("m1 r1 t1");
    assertThat(command.executeAsync("x").join()).isEqualTo("m1 r1 t1");
    assertThat(tenant.captures()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "capture",
        "install",
        "close",
        "checked capture",
        "checked install",
        "checked close"
      })
  void propagator_thatThrows_failsThatCallAndNoOther(String step) {
    Command<String, String> command =
        tenrec.command("C", (String s) -> s).isolation(Isolation.threadPool().coreSize(1)).build();
    String message = "tenant: " + step.replace("checked ", "");
    tenant.failAt(step);
    Outcome<String> outcome = command.attempt("x");
    assertThat(outcome.error()).hasMessage(message);
    assertThat(outcome.events())
        .containsExactly(EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    assertThatThrownBy(() -> command.execute("x")).hasStackTraceContaining(message);
    assertThatThrownBy(() -> command.executeAsync("x").join()).hasStackTraceContaining(message);
    assertThatThrownBy(() -> command.toSingle("x").blockingGet()).hasStackTraceContaining(message);
    tenant.failAt("");
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.execute("y")).isEqualTo("y");
    assertThat(command.view().cumulativeCount(EventType.FAILURE)).isEqualTo(4);
  }

  /** Or the circuit would stay open for as long as a trial may take. */
  @Test
  void propagator_thatCannotCaptureForATrial_leavesItsPlaceToTheNext() {
    Command<String, String> command =
        tenrec
            .command(
                "C",
                (String s) -> {
                  if (s.equals("fails")) {
                    throw new IllegalStateException(s);
                  }
                  return s;
                })
            .errorThreshold(1, 1)
            .sleepWindow(Duration.ofSeconds(5))
            .build();
    time.advanceMillis(500);
    assertThat(command.attempt("fails").error()).hasMessage("fails");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
    time.advanceMillis(5_000);
    tenant.failAt("capture");
    assertThat(command.attempt("x").error()).hasMessage("tenant: capture");
    tenant.failAt("");
    assertThat(command.execute("trial")).isEqualTo("trial");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  /** It is the user's thread: closing answers the call, and leaves the thread alone. */
  @Test
  void propagator_thatCannotCapture_leavesTheFallbackOnTheCallersThread_whichIsNotOurs() {
    Tenrec own = Tenrec.builder().time(time, time).propagate(tenant).build();
    HeldWork fallback = HeldWork.stubborn();
    Command<String, String> command =
        own.command("C", (String s) -> s).fallback((s, cause) -> fallback.run(s)).build();
    tenant.failAt("capture");
    CompletableFuture<CompletableFuture<String>> call =
        Elsewhere.call(() -> command.executeAsync("x"));
    fallback.awaitRunning(1);
    tenant.failAt("");

    assertThat(Elsewhere.call(() -> own.close(Duration.ZERO)))
        .succeedsWithin(PatientWaits.patience());

    assertThat(command.view().stillBusy()).isZero();
    fallback.letGo();
    assertThat(call)
        .succeedsWithin(PatientWaits.patience())
        .satisfies(future -> assertThat(future).isCompletedExceptionally());
    assertThat(fallback.interrupts()).isZero();
  }

  /** It would run without what could not be captured. */
  @Test
  void propagator_thatCannotCapture_isNotFollowedByARetry() {
    List<String> ran = new CopyOnWriteArrayList<>();
    List<Throwable> asked = new CopyOnWriteArrayList<>();
    Command<String, String> command =
        tenrec
            .command("C", (String s) -> ran.add(s) ? "done" : "never")
            .retry(Retry.attempts(3).onlyIf(asked::add))
            .build();
    tenant.failAt("capture");
    Outcome<String> outcome = command.attempt("x");
    assertThat(outcome.error()).hasMessage("tenant: capture");
    assertThat(outcome.events())
        .containsExactly(EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    assertThat(ran).isEmpty();
    assertThat(asked).as("whether to retry what may not be").isEmpty();
    tenant.failAt("");
    assertThat(command.execute("y")).isEqualTo("done");
    await().until(() -> command.view().concurrency() == 0);
  }

  /** Nor is a refused call that is to wait for a retry, and whose context is captured for that. */
  @Test
  void propagator_thatCannotCaptureForARetryOfARefusal_leavesTheRefusal() {
    Isolation one = Isolation.threadPool().coreSize(1);
    Command<String, String> command =
        tenrec
            .command("C", held)
            .isolation(one)
            .retry(Retry.attempts(2).onRefusals())
            .withoutTimeout()
            .build();
    CompletableFuture<String> running = command.executeAsync("running");
    held.awaitRunning(1);
    tenant.failAt("capture");
    Outcome<String> outcome = command.attempt("refused");
    assertThat(outcome.error()).isInstanceOf(CommandRejectedException.class);
    tenant.failAt("");
    held.letGo();
    assertThat(running.join()).isEqualTo("running");
    assertThat(held.began()).containsExactly("running");
    await().until(() -> command.view().concurrency() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"capture", "install", "close"})
  void propagator_thatThrows_leavesTheFallbackToAnswer(String step) {
    Command<String, String> command =
        tenrec.command("C", (String s) -> s).fallback((s, cause) -> cause.getMessage()).build();
    tenant.failAt(step);
    assertThat(command.execute("x")).isEqualTo("tenant: " + step);
  }

  @ParameterizedTest
  @ValueSource(strings = {"install", "close", "checked install", "checked close"})
  void propagator_thatThrowsAroundATimeoutsFallback_neverHangsTheCall(String step) {
    Command<String, String> command =
        tenrec
            .command("C", held)
            .timeout(Duration.ofMillis(100))
            .fallback((s, cause) -> "fallback")
            .build();
    CompletableFuture<String> answer = command.executeAsync("x");
    held.awaitRunning(1);
    tenant.failAt(step);
    time.advanceMillis(100);
    assertThatThrownBy(answer::join)
        .hasStackTraceContaining("CommandTimeoutException")
        .hasStackTraceContaining("tenant: ");
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_FAILURE)).isOne();
    tenant.failAt("");
  }

  @Test
  void propagator_thatThrowsWhenAStageHasBegun_hasThatCancelled() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    AtomicInteger cancelled = new AtomicInteger();
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "C",
                (String s, Call call) -> {
                  call.onCancel(cancelled::incrementAndGet);
                  return stage;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .build();
    tenant.failAt("close");
    assertThat(command.executeAsync("x"))
        .failsWithin(PatientWaits.patience())
        .withThrowableThat()
        .withStackTraceContaining("tenant: close");
    assertThat(stage).isCancelled();
    await().untilAsserted(() -> assertThat(cancelled).hasValue(1));
  }

  /** What it registered is users' code, as what hangs on its stage is. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void propagator_thatThrowsWhenAStageHasBegun_waitsForNothingThatCancelsIt(boolean registers) {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CountDownLatch hanging = new CountDownLatch(1);
    AtomicInteger cancelled = new AtomicInteger();
    if (!registers) {
      CompletableFuture<String> unused =
          stage.whenComplete(
              (none, error) -> {
                Uninterruptibly.await(hanging);
                cancelled.incrementAndGet();
              });
    }
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "C",
                (String s, Call call) -> {
                  if (registers) {
                    call.onCancel(
                        () -> {
                          Uninterruptibly.await(hanging);
                          cancelled.incrementAndGet();
                        });
                  }
                  return stage;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .build();
    tenant.failAt("close");

    try {
      assertThat(command.executeAsync("x"))
          .failsWithin(PatientWaits.patience())
          .withThrowableThat()
          .withStackTraceContaining("tenant: close");
    } finally {
      hanging.countDown();
    }
    await().untilAsserted(() -> assertThat(cancelled).hasValue(1));
    await().until(stage::isCancelled);
  }

  @ParameterizedTest
  @ValueSource(strings = {"capture", "install", "close"})
  void propagator_thatThrowsForAStage_neverHangsTheCall(String step) {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec.asyncCommand("C", (String s) -> stage).isolation(Isolation.threadPool()).build();
    tenant.failAt(step);
    assertThatThrownBy(() -> command.executeAsync("x").join())
        .hasStackTraceContaining("tenant: " + step);
    await().until(() -> command.view().concurrency() == 0);
  }
}
