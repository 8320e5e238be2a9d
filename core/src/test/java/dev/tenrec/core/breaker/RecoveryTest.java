// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A circuit closes with the first good trial, however many calls knock meanwhile and whatever
 * became of other trials.
 */
@OwnThread
class RecoveryTest {

  private static final long SLEEP_MILLIS = 1_000;

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
  private final Queue<CompletableFuture<Integer>> started = new ArrayDeque<>();
  private Command<String, Integer> command;

  @BeforeEach
  void openCircuit() {
    build(builder -> builder.withoutTimeout());
  }

  private void build(Consumer<CommandBuilder<String, Integer>> options) {
    tenrec.remove("Dependency");
    CommandBuilder<String, Integer> builder =
        tenrec.asyncCommand(
            "Dependency",
            (String s) -> {
              CompletableFuture<Integer> stage = new CompletableFuture<>();
              started.add(stage);
              return stage;
            });
    builder
        .errorThreshold(1, 1)
        .isolation(Isolation.semaphore(1_000))
        .sleepWindow(Duration.ofMillis(SLEEP_MILLIS));
    options.accept(builder);
    command = builder.build();
    time.advanceMillis(SLEEP_MILLIS);
    CompletableFuture<Integer> failed = command.executeAsync("fails");
    started.remove().completeExceptionally(new IllegalStateException("down"));
    assertThat(failed).isCompletedExceptionally();
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
  }

  /** 200 calls knock; says how many were let through. */
  private List<CompletableFuture<Integer>> knock() {
    List<CompletableFuture<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(command.executeAsync("knocks"));
    }
    all.removeIf(CompletableFuture::isDone);
    return all;
  }

  private void assertClosesWithTheNextTrial() {
    CompletableFuture<Integer> trial = command.executeAsync("trial");
    assertThat(started).as("let through").hasSize(1);
    started.remove().complete(1);
    assertThat(trial.join()).isEqualTo(1);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void firstGoodTrial_underHeavyTraffic_closes() {
    assertThat(knock()).isEmpty();
    time.advanceMillis(SLEEP_MILLIS);
    List<CompletableFuture<Integer>> trials = knock();
    assertThat(trials).hasSize(1);
    started.remove().complete(1);

    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(knock()).hasSize(200);
    started.forEach(stage -> stage.complete(1));
  }

  @Test
  void dependencySlowerThanTheLease_closesAllTheSame() {
    time.advanceMillis(SLEEP_MILLIS);
    List<CompletableFuture<Integer>> trials = new ArrayList<>(knock());
    for (int lease = 0; lease < 5; lease++) {
      time.advanceMillis(SLEEP_MILLIS);
      List<CompletableFuture<Integer>> more = knock();
      assertThat(more).as("one trial a lease").hasSize(1);
      trials.addAll(more);
    }
    started.remove().complete(1); // the first, whose lease is long over

    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    started.forEach(stage -> stage.complete(1));
    assertThat(trials).allMatch(CompletableFuture::isDone);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void trialThatNeverAnswers_losesItsPlace() {
    time.advanceMillis(SLEEP_MILLIS);
    CompletableFuture<Integer> hung = command.executeAsync("hangs");
    CompletableFuture<Integer> stage = started.remove();
    assertThat(knock()).isEmpty();
    time.advanceMillis(SLEEP_MILLIS);

    assertClosesWithTheNextTrial();
    stage.complete(1);
    assertThat(hung.join()).isEqualTo(1);
  }

  @Test
  void trialWithALongerTimeout_keepsItsPlaceUntilThen() {
    build(builder -> builder.timeout(Duration.ofMillis(3 * SLEEP_MILLIS)));
    time.advanceMillis(SLEEP_MILLIS);
    CompletableFuture<Integer> trial = command.executeAsync("trial");
    time.advanceMillis(2 * SLEEP_MILLIS);

    assertThat(knock()).isEmpty();
    started.remove().complete(1);
    assertThat(trial).isCompletedWithValue(1);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void trialWhoseTimeoutIsSwitchedOff_losesItsPlaceAfterASleepWindow() {
    build(builder -> builder.timeout(Duration.ofMillis(5 * SLEEP_MILLIS)).withoutTimeout());
    time.advanceMillis(SLEEP_MILLIS);
    CompletableFuture<Integer> hung = command.executeAsync("hangs");
    CompletableFuture<Integer> stage = started.remove();
    time.advanceMillis(SLEEP_MILLIS);

    assertClosesWithTheNextTrial();
    stage.complete(1);
    assertThat(hung).isCompletedWithValue(1);
  }

  @Test
  void trialThatIsCancelled_givesItsPlaceBackAtOnce() {
    time.advanceMillis(SLEEP_MILLIS);
    CompletableFuture<Integer> cancelled = command.executeAsync("cancelled");
    assertThat(cancelled.cancel(true)).isTrue();
    assertThat(started.remove()).isCancelled();

    assertClosesWithTheNextTrial();
  }

  @Test
  void trialWithABadRequest_givesItsPlaceBackAtOnce() {
    time.advanceMillis(SLEEP_MILLIS);
    CompletableFuture<Integer> bad = command.executeAsync("bad");
    started.remove().completeExceptionally(new BadRequestException("bad"));
    assertThat(bad).isCompletedExceptionally();

    assertClosesWithTheNextTrial();
  }

  @Test
  void trialThatIsRefusedByTheBulkhead_givesItsPlaceBackAtOnce() {
    time.advanceMillis(SLEEP_MILLIS);
    tenrec.set(
        "tenrec.command.Dependency.execution.isolation.semaphore.maxConcurrentRequests", "0");
    assertThatThrownBy(() -> command.execute("refused"))
        .isInstanceOf(CommandRejectedException.class);
    tenrec.set(
        "tenrec.command.Dependency.execution.isolation.semaphore.maxConcurrentRequests", "10");

    assertClosesWithTheNextTrial();
  }

  @Test
  void trialThatTimesOut_opensAgain_andTheNextOneAfterTheSleepWindowCloses() throws Exception {
    build(builder -> builder.timeout(Duration.ofMillis(500)));
    time.advanceMillis(SLEEP_MILLIS);
    CompletableFuture<Integer> slow = command.executeAsync("slow");
    time.advanceMillis(500);
    assertThatThrownBy(() -> slow.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommandTimeoutException.class);
    started.remove().complete(1); // late: it says nothing any more
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
    assertThat(knock()).isEmpty();
    time.advanceMillis(SLEEP_MILLIS);

    assertClosesWithTheNextTrial();
    assertThat(command.view().cumulativeCount(EventType.TIMEOUT)).isEqualTo(1);
  }

  @Test
  void twoHundredFutureTrials_allCancelled_neverWedge() {
    time.advanceMillis(SLEEP_MILLIS);
    for (int i = 0; i < 200; i++) {
      List<CompletableFuture<Integer>> trials = knock();
      assertThat(trials).as("round %s", i).hasSize(1);
      assertThat(trials.get(0).cancel(i % 2 == 0)).isTrue();
      started.clear();
    }

    assertClosesWithTheNextTrial();
  }
}
