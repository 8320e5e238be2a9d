// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A burst of trouble, then silence, then one call: the breaker has seen the burst before that call,
 * though none ended in between.
 */
class BurstTest {

  private static final long INTERVAL_MILLIS = 500;
  private static final int VOLUME = 20;

  /** What goes wrong, in manual time. */
  enum Trouble {
    ERROR,
    TIMEOUT,
    SLOW,
    REJECTION
  }

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  static Stream<Arguments> bursts() {
    List<Arguments> all = new ArrayList<>();
    for (Arguments place : Scenario.everywhere().toList()) {
      for (Trouble trouble : Trouble.values()) {
        for (long millis : new long[] {1, 49, 500, 10_000}) {
          all.add(Arguments.of(place.get()[0], place.get()[1], trouble, millis));
        }
      }
    }
    return all.stream();
  }

  /**
   * Work that does as its argument says, and counts how often it ran. "late" takes longer than the
   * time-out, "slow" as long as a slow call; both move the clock.
   */
  private static CommandBuilder<String, String> doing(Scenario scenario, AtomicInteger ran) {
    return scenario
        .command(
            argument -> {
              ran.incrementAndGet();
              switch (argument) {
                case "fail":
                  throw new IOException("down");
                case "late":
                  scenario.time.advanceMillis(2);
                  break;
                case "slow":
                  scenario.time.advanceMillis(1);
                  break;
                default:
              }
              return argument;
            })
        .errorThreshold(50, VOLUME)
        .sleepWindow(Duration.ofHours(1))
        .slowCall(Duration.ofMillis(1))
        .timeout(Duration.ofMillis(2));
  }

  /** Sees {@code calls} go wrong within so many milliseconds, the first of them at once. */
  private static void burst(
      Scenario scenario, Command<String, String> command, Trouble trouble, int calls, long millis)
      throws Exception {
    long end = scenario.time.nanoTime() + Duration.ofMillis(millis).toNanos();
    for (int i = 0; i < calls; i++) {
      assertTrouble(trouble, callInTrouble(scenario, command, trouble));
      if (trouble == Trouble.TIMEOUT) { // answered, and its thread may still be at it
        Scenario.await().until(() -> command.view().concurrency() == 0);
      }
      long left = end - scenario.time.nanoTime();
      if (left > 0) {
        scenario.time.advance(Duration.ofNanos(left / (calls - i)));
      }
    }
  }

  private static Answer callInTrouble(
      Scenario scenario, Command<String, String> command, Trouble trouble) throws Exception {
    return scenario.call(
        command,
        switch (trouble) {
          case ERROR -> "fail";
          case TIMEOUT -> "late";
          case SLOW -> "slow";
          case REJECTION -> "x";
        });
  }

  private static void assertTrouble(Trouble trouble, Answer answer) {
    @Nullable Throwable error = answer.error();
    if (error instanceof CircuitOpenException) {
      return; // a long burst is noticed while it lasts
    }
    switch (trouble) {
      case ERROR -> assertThat(error).isInstanceOf(IOException.class);
      case TIMEOUT -> assertThat(error).isInstanceOf(CommandTimeoutException.class);
      case SLOW -> assertThat(error).isNull();
      case REJECTION -> assertThat(error).isInstanceOf(CommandRejectedException.class);
    }
  }

  private static CircuitState state(Command<?, ?> command) {
    List<Transition> transitions = command.transitions();
    return transitions.isEmpty()
        ? CircuitState.CLOSED
        : transitions.get(transitions.size() - 1).to();
  }

  private static void awaitState(Command<?, ?> command, CircuitState expected) {
    Scenario.await()
        .untilAsserted(() -> assertThat(state(command)).as("%s", command).isEqualTo(expected));
  }

  private static Command<String, String> commandFor(
      Scenario scenario, Trouble trouble, AtomicInteger ran) {
    return trouble == Trouble.REJECTION
        ? scenario.rejected().errorThreshold(50, VOLUME).sleepWindow(Duration.ofHours(1)).build()
        : doing(scenario, ran).build();
  }

  @ParameterizedTest
  @MethodSource("bursts")
  void silenceAfterABurst_opensTheCircuitWithinTheInterval_andTheNextCallIsRefused(
      Way way, Door door, Trouble trouble, long millis) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger ran = new AtomicInteger();
      Command<String, String> command = commandFor(scenario, trouble, ran);

      burst(scenario, command, trouble, 2 * VOLUME, millis);
      scenario.time.advanceMillis(INTERVAL_MILLIS);
      awaitState(command, CircuitState.OPEN); // though nobody called

      int before = ran.get();
      assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
      assertThat(ran).hasValue(before);
    }
  }

  /** The timer's thread never gets to look: the clock is moved, and nobody is woken for it. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void admission_looksBeforeItAdmits_whenATenthOfTheIntervalHasPassed(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger ran = new AtomicInteger();
      Command<String, String> command = doing(scenario, ran).build();
      burst(scenario, command, Trouble.ERROR, VOLUME, 1);
      assertThat(state(command)).isEqualTo(CircuitState.CLOSED);

      scenario.time.advanceMillis(INTERVAL_MILLIS / 10); // the timer's look is not due yet
      assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);

      assertThat(ran).hasValue(VOLUME);
      assertThat(state(command)).isEqualTo(CircuitState.OPEN);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void successesThatFillTheVolume_areSeenBeforeTheNextCallIsAdmitted(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      AtomicInteger ran = new AtomicInteger();
      Command<String, String> command = doing(scenario, ran).build();
      for (int i = 0; i < VOLUME / 2; i++) {
        scenario.time.advanceMillis(INTERVAL_MILLIS / 10);
        assertThat(scenario.call(command, "fail").error()).isInstanceOf(IOException.class);
      }
      for (int i = 0; i < VOLUME / 2; i++) {
        assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      }
      assertThat(state(command)).isEqualTo(CircuitState.CLOSED);

      scenario.time.advanceMillis(INTERVAL_MILLIS);
      assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void burstAtTheVeryEndOfTheWindow_countsWithWhatTheWindowHeldThen(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger ran = new AtomicInteger();
      Command<String, String> command =
          doing(scenario, ran)
              .property("metrics.rollingStats.timeInMilliseconds", "500")
              .property("metrics.rollingStats.numBuckets", "1")
              .build();

      scenario.time.advanceMillis(499);
      burst(scenario, command, Trouble.ERROR, VOLUME, 0);
      scenario.time.advanceMillis(1); // the window of one bucket is over
      assertThat(command.view().health().total()).isZero();
      scenario.time.advanceMillis(498);

      int before = ran.get();
      assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
      assertThat(ran).hasValue(before);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void trippingOnTheTimer_withTheIntervalAsLongAsTheWindow_sees_theWholeBurst(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          doing(scenario, new AtomicInteger())
              .property("metrics.healthSnapshot.intervalInMilliseconds", "10000")
              .build();

      scenario.time.advanceMillis(9_999);
      burst(scenario, command, Trouble.ERROR, VOLUME, 0);
      scenario.time.advanceMillis(10_000);

      awaitState(command, CircuitState.OPEN);
    }
  }

  @Test
  void timeOutsOfFuturesEndedByTheTimer_tripWithinTheInterval() throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, Door.EXECUTE_ASYNC)) {
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand("Subject", (String argument) -> new CompletableFuture<String>())
              .isolation(Isolation.semaphore(100))
              .timeout(Duration.ofMillis(100))
              .errorThreshold(50, VOLUME)
              .build();
      List<CompletableFuture<String>> futures = new ArrayList<>();
      for (int i = 0; i < VOLUME; i++) {
        scenario.count(command);
        futures.add(command.executeAsync("x"));
      }
      scenario.time.advanceMillis(100);
      Scenario.await().until(() -> futures.stream().allMatch(CompletableFuture::isDone));

      scenario.time.advanceMillis(INTERVAL_MILLIS);
      awaitState(command, CircuitState.OPEN);
      assertThat(command.view().cumulativeCount(EventType.TIMEOUT)).isEqualTo(VOLUME);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void forcedClosed_andObserving_goOnUnderneath(Door door) throws Exception {
    for (String mode : List.of("forceClosed", "observeOnly")) {
      try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
        Command<String, String> command =
            doing(scenario, new AtomicInteger()).property("circuitBreaker." + mode, "true").build();
        burst(scenario, command, Trouble.ERROR, VOLUME, 1);

        scenario.time.advanceMillis(INTERVAL_MILLIS);
        awaitState(command, CircuitState.OPEN);
        assertThat(scenario.call(command, "x").value()).as(mode).isEqualTo("x");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void disabledBreaker_armsNothing_andDoesNotTrip(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> command =
          doing(scenario, new AtomicInteger()).withoutCircuitBreaker().build();
      burst(scenario, command, Trouble.ERROR, VOLUME, 1);
      assertThat(armed(command)).isZero();

      scenario.time.advanceMillis(INTERVAL_MILLIS);
      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      assertThat(command.transitions()).isEmpty();
    }
  }

  @Test
  void errorsWithoutEnd_armOneLookAtATime() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command =
          doing(scenario, new AtomicInteger()).errorThreshold(50, 1_000_000).build();
      for (int i = 0; i < 5_000; i++) {
        assertThat(scenario.call(command, "fail").error()).isInstanceOf(IOException.class);
        scenario.time.advance(Duration.ofMillis(1));
        assertThat(armed(command)).isLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  void openCircuit_armsNothing() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command =
          doing(scenario, new AtomicInteger())
              .property("circuitBreaker.observeOnly", "true")
              .build();
      burst(scenario, command, Trouble.ERROR, VOLUME, 1);
      scenario.time.advanceMillis(INTERVAL_MILLIS);
      awaitState(command, CircuitState.OPEN);
      Scenario.await().until(() -> armed(command) == 0);

      burst(scenario, command, Trouble.ERROR, VOLUME, 1); // let through, because it only observes

      assertThat(armed(command)).isZero();
    }
  }

  @Test
  void removedCommand_andClosedTenrec_leaveNoLookBehind() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command = doing(scenario, new AtomicInteger()).build();
      burst(scenario, command, Trouble.ERROR, VOLUME, 1);
      // the timer's thread may be about to keep it, and until then it is not counted
      Scenario.await().until(() -> armed(command) == 1);
      assertThat(scenario.tenrec.remove(command.key())).isTrue();

      scenario.time.advanceMillis(INTERVAL_MILLIS);
      Scenario.await().until(() -> armed(command) == 0);
      assertThat(command.transitions()).isEmpty();

      for (int i = 0; i < VOLUME; i++) { // the first rejection ends, and looks as any other
        assertThat(scenario.call(command, "x").error())
            .isInstanceOfAny(CommandRejectedException.class, CircuitOpenException.class);
      }
      assertThat(armed(command)).isZero();
    }
  }

  private static int armed(Command<?, ?> command) {
    return Inside.pendingTimeouts(Inside.runtime(command.view()));
  }
}
