// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.torture.ModelCommand.FallbackKind;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** A command of a {@link ScenarioProgram}, beside its model. */
final class ScenarioSubject {

  final String key;
  final ModelCommand model;
  private final Tenrec tenrec;
  private final Command<Integer, String> command;
  private final CommandView view;
  private final Map<Integer, CompletableFuture<String>> holds = new ConcurrentHashMap<>();
  private final Map<Integer, CompletableFuture<Outcome<String>>> futures = new HashMap<>();
  private final Set<Integer> begun = ConcurrentHashMap.newKeySet();
  private Set<Integer> begunBeforeClosing = Set.of();

  ScenarioSubject(Tenrec tenrec, String key, ModelCommand model) {
    this.tenrec = tenrec;
    this.key = key;
    this.model = model;
    CommandBuilder<Integer, String> builder =
        model.pooled
            ? tenrec
                .command(key, this::runHeld)
                .isolation(
                    Isolation.threadPool()
                        .key(key)
                        .coreSize(model.limit)
                        .queueSize(model.queue == 0 ? -1 : model.queue))
            : tenrec.asyncCommand(key, this::held).isolation(Isolation.semaphore(model.limit));
    builder =
        model.timeoutNanos == 0
            ? builder.withoutTimeout()
            : builder.timeout(Duration.ofNanos(model.timeoutNanos));
    withFallback(builder, model.fallback);
    command =
        builder
            .property("circuitBreaker.requestVolumeThreshold", "" + model.volume)
            .property("circuitBreaker.errorThresholdPercentage", "" + model.percent)
            .property("circuitBreaker.halfOpenTrials", "" + model.trials)
            .property("circuitBreaker.sleepWindowInMilliseconds", "" + model.sleepNanos / 1_000_000)
            .property("metrics.healthSnapshot.intervalInMilliseconds", "10")
            .property("metrics.rollingStats.timeInMilliseconds", "3600000")
            .property("metrics.rollingStats.numBuckets", "1")
            .property("metrics.rollingPercentile.enabled", "false")
            .build();
    view = command.view();
  }

  private static void withFallback(CommandBuilder<Integer, String> builder, FallbackKind kind) {
    switch (kind) {
      case NONE -> {}
      case VALUE -> builder.fallbackValue("instead");
      case FUNCTION -> builder.fallback((number, cause) -> "instead");
      case FAILING ->
          builder.fallback(
              (number, cause) -> {
                throw new IllegalStateException("no fallback");
              });
      case WITHOUT_PERMITS -> builder.fallback((number, cause) -> "instead").fallbackLimit(0);
    }
  }

  private CompletableFuture<String> held(Integer number) {
    CompletableFuture<String> hold = holds.computeIfAbsent(number, n -> new CompletableFuture<>());
    begun.add(number);
    return hold;
  }

  private String runHeld(Integer number) throws Exception {
    try {
      return held(number).get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  String call(int number, long now) {
    ModelCall call = model.call(number, now);
    futures.put(number, command.attemptAsync(number));
    return number + " " + call.events;
  }

  void stop(ModelCall call, EventType event, long now) throws Exception {
    boolean abandonedRunning = call.abandonedRunning;
    model.stop(call, event, now);
    ScenarioProgram.end(holds.get(call.number), event);
    if (!abandonedRunning) {
      await(futures.get(call.number));
    }
  }

  void cancel(ModelCall call, long now) {
    model.cancel(call, now);
    assertThat(futures.get(call.number).cancel(true)).isTrue();
  }

  String set(String name, Object value) {
    tenrec.set("tenrec.command." + key + "." + name, value.toString());
    return name + " = " + value;
  }

  String setPool(String name, Object value) {
    tenrec.set("tenrec.threadpool." + key + "." + name, value.toString());
    return "pool's " + name + " = " + value;
  }

  static <T> T await(CompletableFuture<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  /** Threads may be about to do what they have to. */
  void awaitAgreement() throws Exception {
    for (ModelCall call : model.calls) { // first: nothing looks at the health after that
      if (call.isAnswered() && !call.events.contains(EventType.CANCELLED)) {
        await(futures.get(call.number));
      }
    }
    if (!agrees()) {
      Scenario.await().untilAsserted(this::verify);
    }
    verify();
  }

  private boolean agrees() {
    return view.concurrency() == model.inUse && begun.equals(begunInModel());
  }

  private Set<Integer> begunInModel() {
    return model.calls.stream()
        .filter(call -> call.begun)
        .map(call -> call.number)
        .collect(Collectors.toSet());
  }

  private void verify() {
    assertThat(view.concurrency()).as("in flight").isEqualTo(model.inUse);
    assertThat(begun).as("begun").isEqualTo(begunInModel());
    assertThat(counted()).as("counts").isEqualTo(model.counts);
    if (model.shownCircuit() == CircuitState.CLOSED) { // else it begins anew with the next closing
      assertThat(view.health().total()).as("health, total").isEqualTo(model.total);
      assertThat(view.health().errors()).as("health, errors").isEqualTo(model.errors);
    }
    assertThat(view.circuitState())
        .as("circuit, with %s errors of %s", model.errors, model.total)
        .isEqualTo(model.shownCircuit());
    for (ModelCall call : model.calls) {
      CompletableFuture<Outcome<String>> future = futures.get(call.number);
      assertThat(future.isDone())
          .as("call %s is answered", call.number)
          .isEqualTo(call.isAnswered());
      if (call.isAnswered() && !future.isCancelled()) {
        assertThat(future.join().events())
            .as("call %s", call.number)
            .containsExactlyInAnyOrderElementsOf(call.events);
      }
    }
  }

  private Map<EventType, Long> counted() {
    Map<EventType, Long> counted = new EnumMap<>(EventType.class);
    for (EventType event : EventType.values()) {
      long count = view.cumulativeCount(event);
      if (count != 0) {
        counted.put(event, count);
      }
    }
    return counted;
  }

  /** Each call that has no answer gets one. */
  void awaitClosed() throws Exception {
    begunBeforeClosing = begunInModel();
    for (ModelCall call : model.calls) {
      if (!call.isAnswered()) {
        assertThat(await(futures.get(call.number)).events())
            .as("call %s, at closing", call.number)
            .containsExactly(EventType.CANCELLED);
      }
    }
  }

  void verifyClosed() throws Exception {
    assertThat(view.concurrency()).as("in flight after closing").isZero();
    assertThat(begun).as("begun").isEqualTo(begunBeforeClosing);
    assertThat(await(command.attemptAsync(-1)).isSuccess()).isFalse();
    assertThat(begun).as("begun after closing").isEqualTo(begunBeforeClosing);
    if (!model.pooled) {
      model.calls.stream()
          .filter(call -> call.begun)
          .forEach(call -> assertThat(holds.get(call.number)).isDone());
    }
  }

  /** Whatever else failed: no thread is left waiting. */
  void endAll() {
    holds.values().forEach(hold -> hold.complete("released"));
  }
}
