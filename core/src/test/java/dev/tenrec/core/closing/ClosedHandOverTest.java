// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A call is past the gates, and what is to take its work closes before it is handed over. */
class ClosedHandOverTest {

  static Stream<Arguments> everywhere() {
    return Scenario.combined(Way.away(), List.of(Door.values()));
  }

  /** What a call's context is captured for stands between its gates and its starter. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void call_whoseStarterClosesBeforeTheHandOver_endsAndGivesItsPermitBack(Way way, Door door)
      throws Exception {
    AtomicReference<Tenrec> closing = new AtomicReference<>();
    Tenrec tenrec =
        Unhurried.builder()
            .propagate(
                () -> {
                  assertThat(closing.get().close(Duration.ZERO)).isEmpty();
                  return null;
                })
            .build();
    closing.set(tenrec);
    AtomicBoolean ran = new AtomicBoolean();
    Command<String, String> command =
        tenrec
            .command(
                "Subject",
                (String argument) -> {
                  ran.set(true);
                  return argument;
                })
            .isolation(way.isolation(1))
            .withoutTimeout()
            .build();

    Door.Answer answer = door.call(command, "x", cancel -> {});

    assertThat(answer.error()).isInstanceOf(CancellationException.class);
    Outcome<String> outcome = answer.outcome();
    if (outcome != null) {
      assertThat(outcome.events()).containsExactly(EventType.CANCELLED);
      assertThat(outcome.executionLatency()).as("it never reached a thread").isNull();
    }
    assertThat(ran).isFalse();
    assertThat(command.view().executionLatency().count()).isZero();
    assertThat(Inside.abandonedRunning(Inside.runtime(command.view()))).isZero();
    assertThat(command.view().concurrency()).isZero();
    assertThat(tenrec.liveThreads()).isZero();
    Account.of(command.view()).assertBalanced();
  }
}
