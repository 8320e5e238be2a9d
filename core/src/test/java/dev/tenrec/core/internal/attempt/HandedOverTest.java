// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The timer's thread has ended the attempt of a retried call at its deadline, and asks whether the
 * whole call has ended with it. The test takes the steps of that thread.
 */
class HandedOverTest {

  private static final Duration NEVER = Duration.ofDays(1);

  private final IOException late = new IOException("late");
  private final Tenrec tenrec = Tenrec.builder().source(new NoSettings()).build();
  private final AtomicReference<@Nullable Call> seen = new AtomicReference<>();

  @AfterEach
  void close() {
    tenrec.close();
  }

  private CommandBuilder<String, String> staged() {
    return tenrec
        .asyncCommand(
            "Subject",
            (String argument, Call call) -> {
              seen.set(call);
              return CompletableFuture.completedFuture(argument);
            })
        .withoutTimeout()
        .withoutCircuitBreaker();
  }

  /** The first attempt of a call of that command, which has ended at its deadline. */
  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private Attempt<String, String> lateAttemptOf(Command<String, String> command) {
    assertThat(command.execute("x")).isEqualTo("x");
    Execution<String, String> pattern =
        (Execution<String, String>) Objects.requireNonNull(seen.get());
    Execution<String, String> whole =
        new Execution<>(pattern.pipeline, pattern.plan, "x", null, false, 0);
    RetriedCall<String, String> call = new RetriedCall<>(whole);
    Attempt<String, String> first = call.first(0);
    whole.share = call;
    assertThat(whole.openAttempts()).isTrue();
    HandMadeCall.decide(first, EventType.TIMEOUT, late);
    return first;
  }

  @Test
  void deadline_ofTheCall_isHandedOver() {
    Attempt<String, String> only =
        lateAttemptOf(staged().retry(Retry.attempts(2).budget(0, 0)).build());

    assertThat(only.handsOver(EventType.TIMEOUT, late)).isTrue();

    assertThat(only.isAnswered()).isTrue();
    assertThat(only.whole().cause).isSameAs(late);
    assertThat(only.whole().isUnpublished()).as("for a fallback to be asked").isTrue();
  }

  @Test
  void deadline_ofACallThatHasBeenEnded_isNotHandedOver() {
    Attempt<String, String> only =
        lateAttemptOf(staged().retry(Retry.attempts(2).budget(0, 0)).build());
    IOException before = new IOException("before");
    assertThat(only.call.endsCancelled(before)).isTrue();

    assertThat(only.handsOver(EventType.TIMEOUT, late)).isFalse();

    assertThat(only.isAnswered()).isTrue();
    assertThat(only.whole().cause).isSameAs(before);
  }

  @Test
  void deadline_ofItsOwn_isNotHandedOver_butLeftToWhatFollows() {
    Attempt<String, String> only =
        lateAttemptOf(staged().retry(Retry.attempts(2).attemptTimeout(NEVER).budget(0, 0)).build());

    assertThat(only.handsOver(EventType.TIMEOUT, late)).isFalse();

    Scenario.await().until(only.whole()::isAnswered);
    assertThat(only.whole().error()).isSameAs(late);
  }
}
