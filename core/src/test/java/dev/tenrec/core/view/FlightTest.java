// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Flowable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder has, read back. */
class FlightTest {

  private static final IllegalStateException DOWN = new IllegalStateException("down");

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Unhurried.tenrec());

  @TempDir Path directory;

  private static Integer failOnOdd(Integer i) {
    if (i % 2 == 1) {
      throw DOWN;
    }
    return i;
  }

  private List<RecordedEvent> read(Recording recording) throws IOException {
    recording.stop();
    Path file = directory.resolve("calls.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("dev.tenrec."))
        .toList();
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name, String command) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("dev.tenrec." + name))
        .filter(event -> !event.hasField("command") || command.equals(event.getString("command")))
        .toList();
  }

  /** A Tenrec that another test has not closed is sampled as well. */
  private static List<RecordedEvent> samples(List<RecordedEvent> events, String pool) {
    return of(events, "PoolSample", "").stream()
        .filter(event -> pool.equals(event.getString("pool")))
        .toList();
  }

  @Test
  void calls_allRecorded_addUpToWhatTheViewsCount() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("dev.tenrec.Call").withoutThreshold();
      recording.start();
      Command<Integer, Integer> here =
          tenrec
              .command("Here", FlightTest::failOnOdd)
              .isolation(Isolation.semaphore(10))
              .withoutCircuitBreaker()
              .fallback((i, cause) -> i < 5 ? -1 : failOnOdd(1))
              .cacheKey(i -> i < 100 ? null : i)
              .build();
      Command<Integer, Integer> pooled =
          tenrec
              .command("Pooled", FlightTest::failOnOdd)
              .isolation(Isolation.threadPool().coreSize(2).queueSize(100))
              .withoutCircuitBreaker()
              .build();
      StreamCommand<Integer, Integer> stream =
          tenrec.streamCommand("Stream", (Integer n) -> Flowable.range(0, n)).build();
      Collapser<Integer, Integer> collapser =
          tenrec.collapserByPosition("Batch", (List<Integer> all) -> all).globalScope().build();
      for (int i = 0; i < 10; i++) {
        here.attempt(i);
        if (i % 2 == 0) {
          assertThat(here.execute(i)).isEqualTo(i);
        }
        pooled.attempt(i);
      }
      try (RequestContext request = tenrec.openRequest()) {
        for (int i = 0; i < 5; i++) {
          assertThat(here.execute(100)).isEqualTo(100);
          assertThat(here.attempt(100).value()).isEqualTo(100);
        }
      }
      assertThat(stream.toFlowable(7).count().blockingGet()).isEqualTo(7);
      List<CompletableFuture<Integer>> members = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        members.add(collapser.executeAsync(i));
      }
      members.forEach(CompletableFuture::join);

      List<RecordedEvent> events = read(recording);
      for (CommandView view : tenrec.commands()) {
        assertThat(counted(of(events, "Call", view.key())))
            .as(view.key())
            .isEqualTo(view.totals().events());
      }
      RecordedEvent call = of(events, "Call", "Pooled").get(0);
      assertThat(call.getString("isolation")).isEqualTo("THREAD");
      assertThat(call.getDuration()).isPositive();
      assertThat(call.getStackTrace()).isNull();
    }
  }

  /** It was counted for itself: the run that it shared is another's. */
  @Test
  void call_thatGaveUpARunWhichItShared_isRecordedAsCancelled() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    try (Recording recording = new Recording()) {
      recording.enable("dev.tenrec.Call").withoutThreshold();
      recording.start();
      Command<Integer, Integer> shared =
          tenrec
              .command(
                  "Shared",
                  (Integer i) -> {
                    leave.await();
                    return i;
                  })
              .isolation(Isolation.threadPool().coreSize(1))
              .timeout(Duration.ofHours(1))
              .cacheKey(i -> i)
              .build();
      try (RequestContext request = tenrec.openRequest()) {
        CompletableFuture<Integer> first = shared.executeAsync(7);
        CompletableFuture<Integer> second = shared.executeAsync(7);
        assertThat(second.cancel(true)).isTrue();
        leave.countDown();
        assertThat(first.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo(7);
      }

      assertThat(of(read(recording), "Call", "Shared"))
          .extracting(event -> event.getString("events"))
          .containsExactlyInAnyOrder("SUCCESS", "CANCELLED");
    }
  }

  @Test
  void calls_thatWereAttemptedAgain_haveTheEndOfEachAttempt() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("dev.tenrec.Call").withoutThreshold();
      recording.start();
      AtomicInteger attempts = new AtomicInteger();
      Retry retry =
          Retry.attempts(3)
              .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
              .budget(100, 1_000)
              .howeverLittleTimeIsLeft();
      Command<Integer, Integer> third =
          tenrec
              .command(
                  "Third", (Integer i) -> failOnOdd(attempts.incrementAndGet() % 3 == 0 ? 0 : 1))
              .isolation(Isolation.semaphore(10))
              .withoutCircuitBreaker()
              .retry(retry)
              .build();
      Command<Integer, Integer> never =
          tenrec
              .command("Never", (Integer i) -> failOnOdd(1))
              .isolation(Isolation.threadPool().coreSize(2))
              .withoutCircuitBreaker()
              .retry(retry)
              .fallbackValue(0)
              .build();
      Command<Integer, Integer> refused =
          tenrec
              .command("Refused", FlightTest::failOnOdd)
              .isolation(Isolation.semaphore(0))
              .withoutCircuitBreaker()
              .retry(retry.onRefusals())
              .build();
      for (int i = 0; i < 5; i++) {
        assertThat(third.execute(i)).isZero();
        assertThat(never.execute(i)).isZero();
        assertThat(never.executeAsync(i).join()).isZero();
        assertThat(refused.attempt(i).isSuccess()).isFalse();
      }

      List<RecordedEvent> events = read(recording);
      for (CommandView view : tenrec.commands()) {
        assertThat(counted(of(events, "Call", view.key())))
            .as(view.key())
            .isEqualTo(view.totals().events());
      }
      assertThat(of(events, "Call", "Third"))
          .hasSize(5)
          .allMatch(call -> call.getString("events").equals("SUCCESS,FAILURE,FAILURE,RETRY,RETRY"));
    }
  }

  private static EventCounts counted(List<RecordedEvent> calls) {
    Map<EventType, Long> counts = new EnumMap<>(EventType.class);
    for (RecordedEvent call : calls) {
      for (String name : call.getString("events").split(",")) {
        EventType type = EventType.valueOf(name);
        long times =
            switch (type) {
              case EMIT -> call.getLong("items");
              case FALLBACK_EMIT -> call.getLong("fallbackItems");
              case COLLAPSED -> call.getInt("members");
              default -> 1;
            };
        counts.merge(type, times, Long::sum);
      }
    }
    return EventCounts.of(type -> counts.getOrDefault(type, 0L));
  }

  @Test
  void trouble_recordedByDefault_isReadBack() throws Exception {
    ManualTime time = new ManualTime();
    Tenrec timed = leaks.watch(Tenrec.builder().time(time, time).build());
    try (Recording recording = new Recording()) {
      recording.enable("dev.tenrec.Refused");
      for (String name :
          List.of(
              "Timeout",
              "StillBusy",
              "CircuitTransition",
              "SettingChange",
              "SettingRefused",
              "PoolSample")) {
        recording.enable("dev.tenrec." + name).withPeriod(Duration.ofMillis(20));
      }
      recording.start();
      CountDownLatch leave = new CountDownLatch(1);
      CountDownLatch inside = new CountDownLatch(1);
      Command<Integer, Integer> slow =
          timed
              .command(
                  "Slow",
                  (Integer i) -> {
                    inside.countDown();
                    leave.await();
                    return i;
                  })
              .isolation(Isolation.threadPool().coreSize(1))
              .property("execution.isolation.thread.interruptOnTimeout", "false")
              .timeout(Duration.ofMillis(50))
              .errorThreshold(1, 1)
              .build();
      CompletableFuture<Integer> late = slow.executeAsync(1);
      inside.await();
      assertThat(slow.attempt(2).isSuccess()).isFalse();
      time.advanceMillis(50);
      await().until(late::isCompletedExceptionally);
      time.advanceMillis(500); // a look at the health is due
      timed.set("tenrec.command.Slow.fallback.enabled", "false");
      timed.set("tenrec.command.Slow.fallback.enabled", "perhaps");
      await().until(() -> slow.view().circuitState().name().equals("OPEN"));
      assertThat(slow.attempt(3).isSuccess()).isFalse();
      time.advanceMillis(450);
      leave.countDown();
      await().until(() -> slow.view().stillBusy() == 0);
      List<RecordedEvent> events = new ArrayList<>();
      await()
          .atMost(PatientWaits.patience())
          .until(
              () -> {
                Path file = Files.createTempFile(directory, "part", ".jfr");
                recording.dump(file);
                events.clear();
                events.addAll(RecordingFile.readAllEvents(file));
                return !samples(events, "Slow").isEmpty()
                    && !of(events, "CircuitTransition", "Slow").isEmpty()
                    && !of(events, "StillBusy", "Slow").isEmpty();
              });

      assertThat(of(events, "Refused", "Slow"))
          .extracting(event -> event.getString("reason"))
          .containsExactly("THREAD_POOL", "SHORT_CIRCUITED");
      assertThat(of(events, "Refused", "Slow").get(0).getInt("limit")).isEqualTo(1);
      assertThat(of(events, "Timeout", "Slow")).hasSize(1);
      assertThat(of(events, "Timeout", "Slow").get(0).getDuration("timeout"))
          .isEqualTo(Duration.ofMillis(50));
      assertThat(of(events, "StillBusy", "Slow")).hasSize(1);
      assertThat(of(events, "StillBusy", "Slow").get(0).getDuration("busy"))
          .isEqualTo(Duration.ofMillis(950));
      RecordedEvent opening = of(events, "CircuitTransition", "Slow").get(0);
      Transition transition = slow.transitions().get(0);
      assertThat(opening.getString("explanation")).contains("calls failed");
      assertThat(opening.getString("remark")).isNull();
      assertThat(opening.getLong("number")).isEqualTo(1);
      assertThat(opening.getLong("calls")).isEqualTo(transition.health().total()).isPositive();
      assertThat(opening.getLong("errors")).isEqualTo(transition.health().errors()).isPositive();
      assertThat(opening.getLong("rejected")).isEqualTo(transition.health().rejected());
      assertThat(opening.getLong("slow")).isZero();
      assertThat(opening.getInt("troublePercentage")).isEqualTo(100);
      assertThat(opening.getInt("errorThresholdPercentage")).isEqualTo(1);
      assertThat(opening.getInt("requestVolumeThreshold")).isEqualTo(1);
      assertThat(opening.getInt("halfOpenTrials")).isEqualTo(1);
      assertThat(opening.getDuration("sleepWindow")).isEqualTo(Duration.ofSeconds(5));
      assertThat(of(events, "SettingChange", "").get(0).getString("property"))
          .isEqualTo("fallback.enabled");
      assertThat(of(events, "SettingRefused", "").get(0).getString("value")).isEqualTo("perhaps");
      assertThat(samples(events, "Slow").get(0).getInt("coreSize")).isEqualTo(1);
    }
  }

  @Test
  void refusalsOnTheCallersThread_areRecorded() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("dev.tenrec.Refused");
      recording.start();
      Command<Integer, Integer> command =
          tenrec
              .command("Here", (Integer i) -> i)
              .isolation(Isolation.semaphore(0))
              .fallbackValue(0)
              .build();
      assertThat(command.execute(1)).isZero();
      tenrec.set("tenrec.command.Here.circuitBreaker.forceOpen", "true");
      assertThat(command.execute(2)).isZero();

      assertThat(of(read(recording), "Refused", "Here"))
          .extracting(event -> event.getString("reason"))
          .containsExactly("SEMAPHORE", "SHORT_CIRCUITED");
    }
  }

  /** Nobody knows how long it will be busy yet, so that is until now. */
  @Test
  void stageThatLosesItsPermit_isRecordedAsStillBusy() throws IOException {
    CompletableFuture<Integer> never =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<Integer> toCompletableFuture() {
            throw new UnsupportedOperationException("it cannot be cancelled");
          }
        };
    ManualTime time = new ManualTime();
    Tenrec timed = leaks.watch(Tenrec.builder().time(time, time).build());
    try (Recording recording = new Recording()) {
      recording.enable("dev.tenrec.StillBusy");
      recording.start();
      Command<Integer, Integer> stuck =
          timed
              .asyncCommand("Stuck", (Integer i) -> (CompletionStage<Integer>) never)
              .timeout(Duration.ofMillis(50))
              .property("execution.isolation.stage.abandonAfterInMilliseconds", "20")
              .build();
      CompletableFuture<Integer> late = stuck.executeAsync(1);
      time.advanceMillis(50);
      await().until(late::isCompletedExceptionally);
      await()
          .atMost(PatientWaits.patience())
          .until(
              () -> {
                time.advanceMillis(20);
                return stuck.view().concurrency() == 0;
              });

      List<RecordedEvent> events = of(read(recording), "StillBusy", "Stuck");
      assertThat(events).hasSize(1);
      assertThat(events.get(0).getDuration("busy")).isGreaterThanOrEqualTo(Duration.ofMillis(20));
    }
  }

  @Test
  void thousandCommands_madeAndRemovedInTurn_leaveNoPoolToSample() throws Exception {
    Tenrec closed = Tenrec.create();
    pooled(closed, "Closed").execute(1);
    closed.close();
    pooled(tenrec, "Stays").execute(1);
    for (int i = 0; i < 1_000; i++) {
      Command<Integer, Integer> passing = pooled(tenrec, "Passing" + i);
      if (i % 100 == 0) {
        passing.execute(i);
      }
      assertThat(tenrec.remove("Passing" + i)).isTrue();
    }
    try (Recording recording = new Recording()) {
      recording.enable("dev.tenrec.PoolSample").withPeriod(Duration.ofMillis(20));
      recording.start();
      List<String> sampled = new ArrayList<>();
      await()
          .atMost(PatientWaits.patience())
          .until(
              () -> {
                Path file = Files.createTempFile(directory, "part", ".jfr");
                recording.dump(file);
                for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                  if (event.getEventType().getName().equals("dev.tenrec.PoolSample")) {
                    sampled.add(event.getString("pool"));
                  }
                }
                return sampled.contains("Stays");
              });
      assertThat(sampled).noneMatch(pool -> pool.startsWith("Passing") || pool.equals("Closed"));
    }
  }

  private static Command<Integer, Integer> pooled(Tenrec tenrec, String key) {
    return tenrec
        .command(key, (Integer i) -> i)
        .isolation(Isolation.threadPool().coreSize(1))
        .timeout(PatientWaits.patience())
        .build();
  }

  @Test
  void calls_beyondTheirDeadline_areRecordedByThemselves() throws IOException {
    ManualTime time = new ManualTime();
    try (Recording recording = new Recording();
        Tenrec timed = Tenrec.builder().time(time, time).build()) {
      recording.enable("dev.tenrec.BeyondDeadline");
      recording.enable("dev.tenrec.Timeout");
      recording.start();
      Command<Integer, Integer> command =
          timed
              .command(
                  "Within",
                  (Integer millis) -> {
                    time.advanceMillis(millis);
                    return millis;
                  })
              .isolation(Isolation.semaphore(1))
              .timeout(Duration.ofSeconds(60))
              .withDeadline()
              .build();
      try (Scope scope = Deadline.after(timed, Duration.ofMillis(300)).open()) {
        assertThat(command.attempt(400).isSuccess()).isFalse();
        assertThat(command.attempt(0).isSuccess()).isFalse();
      }
      List<RecordedEvent> events = read(recording);
      assertThat(of(events, "Timeout", "Within")).isEmpty();
      assertThat(of(events, "BeyondDeadline", "Within"))
          .extracting(event -> event.getBoolean("begun"))
          .containsExactly(true, false);
      assertThat(of(events, "BeyondDeadline", "Within").get(0).getDuration("execution"))
          .isEqualTo(Duration.ofMillis(400));
    }
  }

  @Test
  void calls_withoutTheFlightRecordersModule_goOn() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "java.se,jdk.unsupported",
                "-cp",
                System.getProperty("java.class.path"),
                WithoutFlightRecorder.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(process.waitFor(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      String output = new String(process.getInputStream().readAllBytes());
      assertThat(output).contains("module present: false").contains("answer: 42");
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /** The application of the test above. */
  static final class WithoutFlightRecorder {

    private WithoutFlightRecorder() {}

    public static void main(String[] args) {
      try (Tenrec tenrec = Tenrec.create()) {
        Command<Integer, Integer> command =
            tenrec
                .command("Answer", (Integer i) -> i + 1)
                .isolation(Isolation.semaphore(1))
                .build();
        System.out.println(
            "module present: " + ModuleLayer.boot().findModule("jdk.jfr").isPresent());
        System.out.println("answer: " + command.execute(41));
      }
    }
  }
}
