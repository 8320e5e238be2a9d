// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Steps;
import dev.tenrec.core.kit.Tenant;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On which thread listeners are called, and with whose context. */
class ListenerThreadTest {

  private final Tenant tenant = new Tenant();
  private final List<@Nullable String> tenants = new CopyOnWriteArrayList<>();
  private final List<@Nullable String> tenantsOfSubject = new CopyOnWriteArrayList<>();
  private final Steps.Recorded steps = new Steps.Recorded();
  private final Steps asking =
      new Steps() {
        @Override
        public void step(String step, ListenedCall call, @Nullable Object what) {
          tenants.add(tenant.get());
          if (call.commandKey().equals("Subject")) {
            tenantsOfSubject.add(tenant.get());
          }
        }
      };

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  static Stream<Arguments> waitingAway() {
    return Scenario.combined(Way.away(), Door.waiting());
  }

  static Stream<Arguments> notWaitingAway() {
    return Scenario.combined(Way.away(), Door.notWaiting());
  }

  private Scenario scenario(Way way, Door door) {
    return new Scenario(
        way, door, Unhurried.builder().propagate(tenant).listen(asking).listen(steps));
  }

  /** The thread's end after a time-out may come a moment after the answer. */
  private void awaitThreadEnd() {
    Scenario.await().until(() -> times("thread start") == times("thread end"));
  }

  private long times(String step) {
    return steps.namesSoFar().stream().filter(step::equals).count();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void step_wherever_hasTheCallersContext(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      tenant.set("t");
      scenario.call(
          scenario
              .command(
                  argument -> {
                    throw new IllegalStateException("down");
                  })
              .fallback((argument, cause) -> "instead")
              .build(),
          "a");
      scenario.call(scenario.late().fallback((argument, cause) -> "instead").build(), "a");
      awaitThreadEnd();
      assertThat(steps.names()).filteredOn(Steps.ENDINGS::contains).hasSize(2);

      assertThat(tenants).hasSameSizeAs(steps.names()).containsOnly("t");
      if (way != Way.STAGE) { // a stage may end on its caller's thread, where it is all there
        assertThat(tenant.found()).as("left behind on threads").isEmpty();
      }
      assertThat(tenant.get()).isEqualTo("t");
    }
  }

  /** Its ending is not reported on its caller's thread, which is the only one it is on. */
  @Test
  void endOfACacheHit_hasTheCallersContext() throws Exception {
    List<String> found = new CopyOnWriteArrayList<>();
    CommandListener hits =
        new CommandListener() {
          @Override
          public void onCacheHitEnd(
              ListenedCall call, @Nullable Object value, @Nullable Throwable error) {
            found.add(String.valueOf(tenant.get()));
          }
        };
    Tenrec tenrec = Unhurried.builder().propagate(tenant).listen(hits).build();
    Command<String, String> cached =
        tenrec
            .command("Cached", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .cacheKey(argument -> argument)
            .build();
    tenant.set("t");
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(cached.execute("a")).isEqualTo("a");
      assertThat(cached.execute("a")).isEqualTo("a");
      assertThat(cached.executeAsync("a")).isCompletedWithValue("a");
    }

    Scenario.await().untilAsserted(() -> assertThat(found).containsExactly("t", "t"));
    assertThat(tenant.get()).isEqualTo("t");
    tenrec.close(Duration.ZERO);
  }

  /** A refused call never leaves its caller's thread, its ending does. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void step_ofARejectedCall_hasTheCallersContext(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      tenant.set("t");
      scenario.call(scenario.rejected().build(), "a");

      assertThat(steps.names()).containsExactly("start", "error");
      assertThat(tenantsOfSubject).containsExactly("t", "t");
      assertThat(tenant.get()).isEqualTo("t");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void step_ofACallThatTheCircuitRefuses_hasTheCallersContext(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      tenant.set("t");
      scenario.call(
          scenario
              .command(argument -> argument)
              .property("circuitBreaker.forceOpen", "true")
              .fallback((argument, cause) -> "instead")
              .build(),
          "a");

      assertThat(steps.names())
          .containsExactly("start", "fallback start", "fallback success", "success");
      assertThat(tenantsOfSubject).containsExactly("t", "t", "t", "t");
      assertThat(tenant.get()).isEqualTo("t");
    }
  }

  /** A propagator that fails takes the context, not the step. */
  @Test
  void step_whoseContextFails_isReportedWithout() throws Exception {
    try (Scenario scenario = scenario(Way.POOL, Door.EXECUTE_ASYNC)) {
      tenant.set("t");
      tenant.failAt("install");
      scenario.call(
          scenario.command(argument -> argument).fallback((argument, cause) -> "instead").build(),
          "a");

      assertThat(steps.names()).containsExactly("start", "error");
      tenant.failAt("nothing");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"capture", "install", "close"})
  void step_whoseContextFails_isLogged(String where) throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try (Scenario scenario = scenario(Way.POOL, Door.EXECUTE_ASYNC)) {
      tenant.set("t");
      tenant.failAt(where);
      scenario.call(
          scenario.command(argument -> argument).fallback((argument, cause) -> "instead").build(),
          "a");

      Scenario.await()
          .untilAsserted(
              () ->
                  assertThat(written.toString(StandardCharsets.UTF_8))
                      .contains("Subject: its context failed around its listeners"));
      tenant.failAt("nothing");
    } finally {
      System.setErr(before);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void request_wherever_isTheCallers(Way way, Door door) throws Exception {
    List<Boolean> same = new CopyOnWriteArrayList<>();
    List<Tenrec> made = new CopyOnWriteArrayList<>();
    Steps looking =
        new Steps() {
          @Override
          public void step(String step, ListenedCall call, @Nullable Object what) {
            same.add(made.get(0).currentRequest().isPresent());
          }
        };
    try (Scenario scenario =
        new Scenario(way, door, Unhurried.builder().listen(looking).listen(steps))) {
      made.add(scenario.tenrec);
      try (RequestContext request = scenario.tenrec.openRequest()) {
        scenario.call(scenario.command(argument -> argument).build(), "a");
      }
      assertThat(steps.names()).contains("success");
      assertThat(same).hasSameSizeAs(steps.names()).containsOnly(true);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void threadStartWorkAndThreadEnd_areOnOneThread(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      CompletableFuture<Thread> worker = new CompletableFuture<>();
      scenario.call(
          scenario
              .command(
                  argument -> {
                    worker.complete(Thread.currentThread());
                    return argument;
                  })
              .build(),
          "a");

      assertThat(steps.only("start").thread()).isSameAs(Thread.currentThread());
      assertThat(steps.only("work start").thread()).isSameAs(worker.join());
      if (way.isAway()) {
        assertThat(steps.only("thread start").thread()).isSameAs(worker.join());
        assertThat(steps.only("thread end").thread()).isSameAs(worker.join());
      }
    }
  }

  /** The ending is reported in the command's share, whichever thread ended the call. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void ending_ofTheWork_isReportedOnACallbackThread(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.command(argument -> argument).build(), "a");

      assertOnACallbackThread("success");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void ending_ofTheFallback_isReportedOnACallbackThread(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(
          scenario
              .command(
                  argument -> {
                    throw new IllegalStateException("down");
                  })
              .fallback((argument, cause) -> "instead")
              .build(),
          "a");

      if (door.callerWaits()) {
        assertThat(steps.only("fallback start").thread()).isSameAs(Thread.currentThread());
      }
      assertOnACallbackThread("fallback success");
      assertOnACallbackThread("success");
    }
  }

  private void assertOnACallbackThread(String step) {
    assertThat(steps.only(step).thread().getName()).startsWith("tenrec-callback-");
  }

  @ParameterizedTest
  @MethodSource("waitingAway")
  void timeout_ofACallerThatWaits_isReportedOnACallbackThread(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.late().build(), "a");
      awaitThreadEnd();

      assertOnACallbackThread("error");
    }
  }

  @ParameterizedTest
  @MethodSource("notWaitingAway")
  void timeout_ofACallNobodyWaitsFor_isReportedOnACallbackThread(Way way, Door door)
      throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.late().fallback((argument, cause) -> "instead").build(), "a");
      awaitThreadEnd();

      assertThat(steps.only("fallback start").thread().getName())
          .satisfiesAnyOf(
              name -> assertThat(name).startsWith("tenrec-callback-"),
              // the worker, if it came back before: it finds the same deadline passed
              name -> assertThat(name).isEqualTo(steps.only("work start").thread().getName()));
      assertOnACallbackThread("fallback success");
      assertOnACallbackThread("success");
    }
  }

  /** A user's executor that refuses: the ending is reported on a thread of Tenrec's. */
  @Test
  void timeout_thatTheUsersExecutorRefuses_isReportedOnAThreadOfTenrecs() throws Exception {
    TenrecBuilder builder =
        Unhurried.builder()
            .callbackExecutor(
                task -> {
                  throw new RejectedExecutionException("full");
                })
            .listen(steps);
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE_ASYNC, builder)) {
      scenario.call(scenario.late().fallback((argument, cause) -> "instead").build(), "a");

      assertThat(steps.names())
          .filteredOn(step -> !step.startsWith("thread"))
          .containsExactly("start", "work start", "error");
      assertOnACallbackThread("error");
    }
  }
}
