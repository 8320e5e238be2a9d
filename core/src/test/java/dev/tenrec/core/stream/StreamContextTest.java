// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.RequestVariable;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.context.RequestLog;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Tenant;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a stream carries from its subscriber's thread, and what is written down of it. */
class StreamContextTest extends StreamFixture {

  private final Tenant tenant = new Tenant();

  @Override
  public TenrecBuilder builder() {
    return Unhurried.builder().propagate(() -> tenant.capture());
  }

  static Stream<Way> ways() {
    return StreamCommandTest.ways();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void context_isThereWhereTheWorkAndTheFallbackAreSubscribed(Way way) throws Exception {
    RequestVariable<String> user = tenrec.requestVariable(() -> "nobody", value -> {});
    CompletableFuture<String> atWork = new CompletableFuture<>();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol) ->
                    Flowable.<String>defer(
                        () -> {
                          atWork.complete(user.get() + " of " + tenant.get());
                          return source;
                        }))
            .isolation(way.isolation())
            .timeout(FIRST)
            .fallback(
                (symbol, cause) -> Flowable.defer(() -> Flowable.just(user.get(), tenant.get())))
            .build();
    tenant.set("t1");
    try (RequestContext request = tenrec.openRequest()) {
      user.set("ada");
      TestSubscriber<String> subscriber = command.toFlowable("x").test();
      assertThat(atWork.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("ada of t1");
      time.advance(FIRST); // the fallback runs on the callback executor
      assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      subscriber.assertResult("ada", "t1");
    } finally {
      tenant.set(null);
    }
  }

  @Test
  void fallback_onTheSourcesThread_hasTheContext() throws Exception {
    RequestVariable<String> user = tenrec.requestVariable(() -> "nobody", value -> {});
    StreamCommand<String, String> command =
        ticks().fallback((symbol, cause) -> Flowable.just(user.get())).build();
    TestSubscriber<String> subscriber;
    try (RequestContext request = tenrec.openRequest()) {
      user.set("ada");
      subscriber = command.toFlowable("x").test();
      boolean failed =
          Elsewhere.call(
                  () -> {
                    source.fail(new IOException("cut"));
                    return true;
                  })
              .get(PatientWaits.seconds(), TimeUnit.SECONDS);
      assertThat(failed).isTrue();
    }
    subscriber.assertResult("ada");
  }

  // A propagator that fails when the stream has begun.

  private StreamCommandBuilder<String, String> onAPool() {
    tenant.failAt("close");
    return ticks().isolation(Isolation.threadPool().coreSize(1));
  }

  @Test
  void closeOfAScope_thatThrows_endsTheStreamAndItsSource() throws Exception {
    StreamCommand<String, String> command = onAPool().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertError(IllegalStateException.class);
    Scenario.await().untilAsserted(() -> assertThat(source.cancels).hasValue(1));
    LeakGuard.assertQuiet(tenrec);
    Scenario.await().until(() -> Inside.stages(command.view()) == 0);
  }

  @Test
  void closeOfAScope_thatThrows_leavesTheRestToTheFallback() throws Exception {
    StreamCommand<String, String> command =
        onAPool()
            .fallback(
                (symbol, cause) -> {
                  tenant.failAt("");
                  return Flowable.just("f", cause.getMessage());
                })
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertResult("f", "tenant: close");
    Scenario.await().untilAsserted(() -> assertThat(source.cancels).hasValue(1));
    LeakGuard.assertQuiet(tenrec);
    Scenario.await().until(() -> Inside.stages(command.view()) == 0);
  }

  @Test
  void closeOfAScope_thatThrows_whenAllWasSent_failsTheStream() throws Exception {
    tenant.failAt("close");
    StreamCommand<String, String> command =
        tenrec
            .streamCommand("Ticks", (String symbol) -> Flowable.just("a", "b"))
            .isolation(Isolation.threadPool().coreSize(1))
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertFailure(IllegalStateException.class, "a", "b");
    LeakGuard.assertQuiet(tenrec);
    Scenario.await().until(() -> Inside.stages(command.view()) == 0);
  }

  /** The same for any other stage. */
  @Test
  void closeOfAScope_thatThrows_givesItsStageUp() {
    tenant.failAt("close");
    CompletableFuture<String> stage = new CompletableFuture<>();
    AtomicInteger cancellers = new AtomicInteger();
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "Staged",
                (String symbol, Call call) -> {
                  call.onCancel(cancellers::incrementAndGet);
                  return stage;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .build();
    assertThat(command.attempt("x").error()).hasMessage("tenant: close");
    assertThat(stage).isCancelled();
    Scenario.await().untilAsserted(() -> assertThat(cancellers).hasValue(1)); // no caller waits
    Scenario.await().until(() -> Inside.stages(command.view()) == 0);
  }

  // The log of a request.

  @Test
  void log_countsItems() {
    StreamCommand<String, String> command = ticks().fallback((symbol, cause) -> second).build();
    try (RequestContext request = tenrec.openRequest()) {
      TestSubscriber<String> three = command.toFlowable("x").test();
      source.emit("a", "b", "c");
      assertThat(request.log().entries()).as("not before it has ended").isEmpty();
      time.advanceMillis(12);
      source.complete();
      three.assertComplete();
      assertThat(request.log()).hasToString("Ticks[EMITx3, SUCCESS][12ms]");

      TestSubscriber<String> both = command.toFlowable("x").test();
      source.emit("a").fail(new IOException("cut"));
      second.emit("f", "g");
      time.advanceMillis(3);
      second.complete();
      both.assertComplete();
      TestSubscriber<String> none = command.toFlowable("x").test();
      source.complete();
      none.assertResult();
      assertThat(request.log())
          .hasToString(
              "Ticks[EMITx3, SUCCESS][12ms],"
                  + " Ticks[EMIT, FAILURE, FALLBACK_EMITx2, FALLBACK_SUCCESS][3ms],"
                  + " Ticks[SUCCESS][0ms]");

      RequestLog.Entry entry = request.log().entries().get(1);
      assertThat(entry.items()).isEqualTo(1);
      assertThat(entry.fallbackItems()).isEqualTo(2);
      assertThat(entry.events())
          .containsExactly(
              EventType.EMIT,
              EventType.FAILURE,
              EventType.FALLBACK_EMIT,
              EventType.FALLBACK_SUCCESS);
    }
  }

  @Test
  void log_mergesStreamsThatWentAlike() {
    StreamCommand<Integer, Integer> command =
        tenrec.streamCommand("Ticks", (Integer n) -> Flowable.range(0, n)).build();
    Command<String, String> plain =
        tenrec.command("Plain", (String s) -> s).isolation(Isolation.semaphore(1)).build();
    try (RequestContext request = tenrec.openRequest()) {
      for (int n : new int[] {2, 3, 2}) {
        command.toFlowable(n).test().assertValueCount(n).assertComplete();
        assertThat(plain.execute("x")).isEqualTo("x");
      }
      assertThat(request.log())
          .hasToString(
              "Ticks[EMITx2, SUCCESS][0ms]x2, Plain[SUCCESS][0ms]x3, Ticks[EMITx3, SUCCESS][0ms]");
    }
  }

  @Test
  void log_ofAStreamThatIsCutShort_saysWhatItHad() {
    StreamCommand<String, String> command = ticks().build();
    try (RequestContext request = tenrec.openRequest()) {
      command.toFlowable("x").take(2).test().cancel();
      TestSubscriber<String> two = command.toFlowable("x").take(2).test();
      source.emit("a", "b");
      two.assertResult("a", "b");
      assertThat(request.log()).hasToString("Ticks[CANCELLED][0ms], Ticks[EMITx2, CANCELLED][0ms]");
    }
  }
}
