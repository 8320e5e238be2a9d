// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whether a hedge that is due begins, and after how long it is due, to the nanosecond. */
class HedgesTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final String WARM = "warm";

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final AtomicReference<@Nullable Call> seen = new AtomicReference<>();
  private final CompletableFuture<String> never = new CompletableFuture<>();

  private CommandBuilder<String, String> taking(Duration latency) {
    return tenrec
        .asyncCommand(
            "Subject",
            (String argument, Call call) -> {
              seen.set(call);
              if (argument.equals(WARM)) {
                time.advance(latency);
                return CompletableFuture.completedFuture(argument);
              }
              return never.thenApply(value -> value);
            })
        .timeout(TIMEOUT)
        .withoutCircuitBreaker();
  }

  @AfterEach
  void close() {
    never.complete("");
    Elsewhere.close(tenrec, time);
  }

  private static void warm(Command<String, String> command, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(command.execute(WARM)).isEqualTo(WARM);
    }
  }

  /** The call of the only attempt under way. */
  private HedgedCall<?, ?> begin(Command<String, String> command) {
    CompletableFuture<String> unused = command.executeAsync("x");
    return ((HedgedAttempt<?, ?>) Objects.requireNonNull(seen.get())).call;
  }

  private Command<String, String> hedgedLate() {
    return taking(Duration.ofMillis(100)).hedge(Hedge.after(Duration.ofSeconds(10))).build();
  }

  private HedgedCall<?, ?> withSoMuchTimeBeyondTheMedian(
      Command<String, String> command, long nanos) {
    warm(command, 3);
    HedgedCall<?, ?> call = begin(command);
    long median = Inside.runtime(command.view()).medianNanos(time.nanoTime());
    assertThat(median).isPositive();
    time.advance(TIMEOUT.minusNanos(median + nanos));
    return call;
  }

  @Test
  void hedge_thatHasJustMoreTimeThanHalfOfThemTook_begins() {
    Command<String, String> command = hedgedLate();
    HedgedCall<?, ?> call = withSoMuchTimeBeyondTheMedian(command, 1);

    call.beginHedge(1);

    assertThat(call.begun()).isEqualTo(2);
    assertThat(Scenario.counted(command, EventType.HEDGE)).isOne();
  }

  @Test
  void hedge_thatHasAsMuchTimeAsHalfOfThemTook_doesNotBegin() {
    Command<String, String> command = hedgedLate();
    HedgedCall<?, ?> call = withSoMuchTimeBeyondTheMedian(command, 0);

    call.beginHedge(1);

    assertThat(call.begun()).isOne();
    assertThat(Scenario.counted(command, EventType.HEDGE)).isZero();
    assertThat(Scenario.counted(command, EventType.HEDGE_REFUSED)).isZero();
  }

  @Test
  void hedge_thatIsSwitchedOffMeanwhile_doesNotBegin() {
    Command<String, String> command = hedgedLate();
    HedgedCall<?, ?> call = begin(command);
    tenrec.set("tenrec.command.Subject.hedge.enabled", "false");

    call.beginHedge(1);

    assertThat(call.begun()).isOne();
    assertThat(Scenario.counted(command, EventType.HEDGE)).isZero();
  }

  @Test
  void percentile_isReadOnceASecond() {
    Command<String, String> command =
        taking(Duration.ofMillis(5)).hedge(Hedge.afterPercentile(50)).build();
    long read = time.nanoTime();
    warm(command, 100); // the first of which reads that there is none
    time.advance(Duration.ofSeconds(1).minusNanos(time.nanoTime() - read + 1));
    CompletableFuture<String> early = command.executeAsync("x");
    assertThat(seen.get()).isNotInstanceOf(HedgedAttempt.class);
    assertThat(early).isNotDone();
    time.advance(Duration.ofNanos(1));

    HedgedCall<?, ?> call = begin(command);

    assertThat(call.delayNanos)
        .isBetween(Duration.ofMillis(4).toNanos(), Duration.ofMillis(6).toNanos());
  }
}
