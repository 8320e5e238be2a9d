// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Steps;
import dev.tenrec.core.kit.Tenant;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.stream.StreamFixture;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What listeners see of streams. */
class ListenerStreamTest extends StreamFixture {

  private final Tenant tenant = new Tenant();

  /** Each step, and whose context it had. */
  private final List<String> steps = new CopyOnWriteArrayList<>();

  /** What the call showed at each kind of step. */
  private final Map<String, List<EventType>> shown = new ConcurrentHashMap<>();

  /** The ending comes last, after the subscriber's. */
  private void awaitEnding() {
    Scenario.await().until(() -> shown.keySet().stream().anyMatch(Steps.ENDINGS::contains));
  }

  @Override
  public TenrecBuilder builder() {
    return Unhurried.builder()
        .propagate(() -> tenant.capture())
        .listen(
            new Steps() {
              @Override
              public void step(String step, ListenedCall call, @Nullable Object what) {
                steps.add(step + " of " + tenant.get());
                shown.put(step, call.events());
              }
            });
  }

  private void at(String name, Runnable what) throws Exception {
    boolean done =
        Elsewhere.call(
                () -> {
                  tenant.set(name);
                  what.run();
                  assertThat(tenant.get()).isEqualTo(name);
                  return true;
                })
            .get(PatientWaits.seconds(), TimeUnit.SECONDS);
    assertThat(done).isTrue();
  }

  private StreamCommand<String, String> refused() {
    tenrec.set("tenrec.command.Ticks.circuitBreaker.forceOpen", "true");
    return ticks().fallback((symbol, cause) -> second).build();
  }

  @Test
  void refusedStream_whoseFallbackGoesOnElsewhere_isReportedWithItsCallersContext()
      throws Exception {
    StreamCommand<String, String> command = refused();
    TestSubscriber<String> subscriber = new TestSubscriber<>();
    at("alice", () -> command.toFlowable("x").subscribe(subscriber));
    at("bob", () -> second.emit("f").complete());
    awaitEnding();
    assertThat(steps)
        .containsExactly(
            "start of alice",
            "fallback start of alice",
            "fallback emit of alice",
            "fallback success of alice",
            "success of alice");
  }

  @Test
  void refusedStream_thatIsDisposedElsewhere_isReportedWithItsCallersContext() throws Exception {
    StreamCommand<String, String> command = refused();
    TestSubscriber<String> subscriber = new TestSubscriber<>();
    at("alice", () -> command.toFlowable("x").subscribe(subscriber));
    at("bob", subscriber::cancel);
    awaitEnding();
    assertThat(steps)
        .containsExactly("start of alice", "fallback start of alice", "cancel of alice");
  }

  /** As with any call: what cannot be carried fails it. */
  @Test
  void refusedStream_whoseContextCannotBeCaptured_fails() {
    StreamCommand<String, String> command = refused();
    tenant.failAt("capture");
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    second.emit("f").complete();
    subscriber.assertResult("f");
    assertThat(command.view().concurrency()).isZero();
    assertThat(counted(command.view()).get(0)).isEqualTo(EventType.FAILURE);
  }

  @Test
  void events_ofAStreamThatGoesOn_haveItsItems() {
    StreamCommand<String, String> command = ticks().fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a").fail(new IOException("cut"));
    second.emit("f").complete();
    subscriber.assertResult("a", "f");
    awaitEnding();
    assertThat(shown.get("work start")).isEmpty();
    assertThat(shown.get("emit")).containsExactly(EventType.EMIT);
    assertThat(shown.get("fallback start"))
        .containsExactlyInAnyOrder(EventType.EMIT, EventType.FAILURE);
    assertThat(shown.get("fallback emit"))
        .containsExactlyInAnyOrder(EventType.EMIT, EventType.FAILURE, EventType.FALLBACK_EMIT);
    assertThat(shown.get("success"))
        .containsExactlyInAnyOrder(
            EventType.EMIT, EventType.FAILURE, EventType.FALLBACK_EMIT, EventType.FALLBACK_SUCCESS);
  }

  @Test
  void events_ofAStreamWithoutItems_haveNone() {
    tenrec
        .streamCommand("Empty", (String symbol) -> Flowable.<String>empty())
        .build()
        .toFlowable("x")
        .test()
        .assertResult();
    awaitEnding();
    assertThat(shown.get("success")).containsExactly(EventType.SUCCESS);
  }
}
