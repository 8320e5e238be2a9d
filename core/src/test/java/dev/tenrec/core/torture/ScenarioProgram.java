// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.torture.ModelCommand.FallbackKind;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** One program, played by a Tenrec in manual time and by its model at once. */
final class ScenarioProgram {

  private static final int STEPS = 60;
  private static final long MILLI = 1_000_000;

  /** How far the time moves while closing has not returned, about once a millisecond. */
  private static final Duration CLOSING_STEP = Duration.ofNanos(200_000);

  /** None is shorter than the health interval, so each step's first look at it is due. */
  private static final int[] PAUSES_MILLIS = {10, 20, 50, 200};

  private final Random random;
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final Map<Integer, Command<String, String>> alarms = new HashMap<>();
  private final List<ScenarioSubject> subjects = new ArrayList<>();
  private final StringBuilder steps = new StringBuilder();
  private int numbers;

  ScenarioProgram(Random random) {
    this.random = random;
    for (int millis : PAUSES_MILLIS) {
      alarms.put(
          millis,
          tenrec
              .asyncCommand("Alarm " + millis, (String unused) -> new CompletableFuture<String>())
              .timeout(Duration.ofMillis(millis))
              .withoutCircuitBreaker()
              .build());
    }
    int commands = 1 + random.nextInt(2);
    for (int i = 0; i < commands; i++) {
      subjects.add(new ScenarioSubject(tenrec, "Subject " + i, settings()));
    }
  }

  private ModelCommand settings() {
    ModelCommand model = new ModelCommand(time.nanoTime());
    model.volume = 1 + random.nextInt(5);
    model.percent = 1 + random.nextInt(100);
    model.sleepNanos = (10 + random.nextInt(100)) * MILLI;
    model.trials = 1 + random.nextInt(3);
    model.limit = 1 + random.nextInt(3);
    model.pooled = random.nextBoolean();
    // where calls queue, none times out: whether a thread or the timer finds that out is a race
    model.queue = model.pooled ? random.nextInt(3) : 0;
    model.timeoutNanos = model.queue == 0 ? anyTimeout() : 0;
    model.fallback = FallbackKind.values()[random.nextInt(FallbackKind.values().length)];
    return model;
  }

  private long anyTimeout() {
    return (15 + random.nextInt(150)) * MILLI;
  }

  void play() throws Exception {
    try {
      for (int i = 0; i < STEPS; i++) {
        pause();
        ScenarioSubject subject = subjects.get(random.nextInt(subjects.size()));
        steps.append('\n').append(subject.key).append(": ").append(step(subject));
        agree();
      }
      close();
    } catch (Throwable failed) {
      subjects.forEach(ScenarioSubject::endAll);
      throw new AssertionError(failed + ", after" + steps, failed);
    }
  }

  /**
   * The timer's thread takes its nodes in the order of their times, and the alarm's is later than
   * all that are due: by a nanosecond, which each step has to itself.
   */
  private void pause() throws Exception {
    int millis = PAUSES_MILLIS[random.nextInt(PAUSES_MILLIS.length)];
    steps.append("\n  ").append(millis).append(" ms");
    time.advance(Duration.ofNanos(1));
    CompletableFuture<Outcome<String>> alarm = alarms.get(millis).attemptAsync("");
    time.advanceMillis(millis);
    ScenarioSubject.await(alarm);
    long now = time.nanoTime();
    subjects.forEach(subject -> subject.model.pass(now));
    agree();
  }

  private String step(ScenarioSubject subject) throws Exception {
    ModelCommand model = subject.model;
    long now = time.nanoTime();
    int kind = random.nextInt(12);
    List<ModelCall> alive = model.alive();
    if (kind < 5 || alive.isEmpty()) {
      return "call " + subject.call(numbers++, now);
    }
    ModelCall call = alive.get(random.nextInt(alive.size()));
    if (kind < 9 && call.begun) {
      EventType event =
          List.of(EventType.SUCCESS, EventType.SUCCESS, EventType.FAILURE, EventType.BAD_REQUEST)
              .get(random.nextInt(4));
      subject.stop(call, event, now);
      return "end " + call.number + " with " + event;
    }
    if (kind < 10 && !call.abandonedRunning) {
      subject.cancel(call, now);
      return "cancel " + call.number;
    }
    return change(subject);
  }

  private String change(ScenarioSubject subject) {
    ModelCommand model = subject.model;
    switch (random.nextInt(5)) {
      case 0:
        model.limit = 1 + random.nextInt(3);
        model.takeUp();
        return model.pooled
            ? subject.setPool("coreSize", model.limit)
            : subject.set("execution.isolation.semaphore.maxConcurrentRequests", model.limit);
      case 1:
        model.forcedOpen = random.nextInt(3) == 0;
        return subject.set("circuitBreaker.forceOpen", model.forcedOpen);
      case 2:
        model.fallbackEnabled = random.nextBoolean();
        return subject.set("fallback.enabled", model.fallbackEnabled);
      case 3:
        model.sleepNanos = (10 + random.nextInt(100)) * MILLI;
        return subject.set("circuitBreaker.sleepWindowInMilliseconds", model.sleepNanos / MILLI);
      default:
        if (model.timeoutNanos == 0) {
          return "no change";
        }
        model.timeoutNanos = anyTimeout();
        return subject.set(
            "execution.isolation.thread.timeoutInMilliseconds", model.timeoutNanos / MILLI);
    }
  }

  private void agree() throws Exception {
    for (ScenarioSubject subject : subjects) {
      subject.awaitAgreement();
    }
  }

  /** What is in flight is cancelled, without time going on; nothing is left, and nothing enters. */
  private void close() throws Exception {
    CompletableFuture<?> closed = Elsewhere.call(() -> tenrec.close(Duration.ZERO));
    for (ScenarioSubject subject : subjects) {
      subject.awaitClosed();
    }
    // closing gives work that it has interrupted half a second: time that must not pass before
    Scenario.await().until(() -> tenrec.pools().stream().allMatch(pool -> pool.active() == 0));
    Scenario.await()
        .until(
            () -> {
              time.advance(CLOSING_STEP);
              return closed.isDone();
            });
    assertThat(closed.join()).isEqualTo(List.of());
    Scenario.await().until(() -> tenrec.liveThreads() == 0);
    for (ScenarioSubject subject : subjects) {
      subject.verifyClosed();
    }
  }

  /** What its work ends with. */
  static void end(CompletableFuture<String> hold, EventType event) {
    switch (event) {
      case SUCCESS -> hold.complete("value");
      case FAILURE -> hold.completeExceptionally(new IllegalStateException("failed"));
      default -> hold.completeExceptionally(new BadRequestException("bad"));
    }
  }
}
