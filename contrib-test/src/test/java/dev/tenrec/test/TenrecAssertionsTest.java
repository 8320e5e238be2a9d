// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each assertion fails where it does not hold, and says what was there instead. */
@ExtendWith(TenrecExtension.class)
class TenrecAssertionsTest {

  @Test
  void outcome_ofAnAnswer_failsEveryOtherClaim(Tenrec tenrec) {
    Outcome<String> outcome = tenrec.command("Echo", (String a) -> a).build().attempt("a");
    assertThat(outcome).isAnsweredByWork().isAnsweredWith("a").hasEvents(EventType.SUCCESS);
    List<ThrowingCallable> wrong =
        List.of(
            () -> assertThat(outcome).isAnsweredByFallback(),
            () -> assertThat(outcome).isAnsweredWith("b"),
            () -> assertThat(outcome).isNotAnswered(),
            () -> assertThat(outcome).hasFailed(),
            () -> assertThat(outcome).hasTimedOut(),
            () -> assertThat(outcome).wasShortCircuited(),
            () -> assertThat(outcome).wasRejected(),
            () -> assertThat(outcome).has(EventType.RETRY),
            () -> assertThat(outcome).hasNot(EventType.SUCCESS),
            () -> assertThat(outcome).hasEvents(EventType.SUCCESS, EventType.RETRY),
            () -> assertThat(outcome).hasCause(Exception.class),
            () -> assertThat(outcome).hasError(Exception.class));
    assertThat(wrong)
        .allSatisfy(
            claim ->
                assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(claim)
                    .withMessageContaining("Echo: answered")
                    .withMessageContaining("[SUCCESS]"));
  }

  @Test
  void outcome_ofAFailure_isNotAnsweredByItsWork(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = tenrec.command("Echo", (String a) -> a).build();
    faults.on("Echo").fail(new IOException("100 % down"));
    Outcome<String> outcome = echo.attempt("a");
    assertThat(outcome).isNotAnswered().hasError(IOException.class);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertThat(outcome).as("the call").isAnsweredByWork())
        .withMessageContaining("[the call]")
        .withMessageContaining("100 % down");
  }

  @Test
  void command_withOneSuccess_failsEveryOtherClaim(Tenrec tenrec) {
    Command<String, String> echo = tenrec.command("Echo", (String a) -> a).build();
    echo.execute("a");
    assertThat(echo).hasCircuit(CircuitState.CLOSED).hasTransitions().holdsNoPermit();
    assertThat(tenrec.commands().get(0)).hasCounted(EventType.SUCCESS, 1);
    // what is not so now does not become so: nothing to wait for
    List<ThrowingCallable> wrong =
        List.of(
            () -> atOnce(tenrec).hasCircuit(CircuitState.OPEN),
            () -> atOnce(tenrec).hasTransitions(CircuitState.OPEN),
            () -> atOnce(tenrec).hasCounted(EventType.SUCCESS, 2));
    assertThat(wrong)
        .allSatisfy(
            claim ->
                assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(claim)
                    .withMessageContaining("'Echo'"));
  }

  @Test
  void command_withACallAtWork_holdsAPermit(Tenrec tenrec, Faults faults) {
    Command<String, String> echo = tenrec.command("Echo", (String a) -> a).build();
    HeldCalls held = faults.on("Echo").hold();
    CompletableFuture<String> call = echo.executeAsync("a");
    held.await(1);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> atOnce(tenrec).holdsNoPermit())
        .withMessageContaining("expected of command 'Echo': no permit out, and there were 1");
    held.release();
    assertThat(echo).holdsNoPermit(); // in the end
    assertThat(call).isCompletedWithValue("a");
  }

  /** What the timer's thread has yet to do is waited for. */
  @Test
  void circuit_thatIsAboutToOpen_isWaitedFor() {
    AtomicInteger looks = new AtomicInteger();
    CircuitState seen =
        Settling.settled(
            () -> looks.incrementAndGet() < 3 ? CircuitState.CLOSED : CircuitState.OPEN,
            CircuitState.OPEN::equals,
            Duration.ofMinutes(5));
    assertThat(seen).isEqualTo(CircuitState.OPEN);
    assertThat(looks).hasValue(3);
  }

  private static CommandAssert atOnce(Tenrec tenrec) {
    return new CommandAssert(tenrec.commands().get(0), Duration.ZERO);
  }
}
