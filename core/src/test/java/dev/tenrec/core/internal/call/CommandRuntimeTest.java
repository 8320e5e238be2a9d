// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.isolation.VirtualThreads;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.view.CallTimeout;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The figures of one command that others go by. */
class CommandRuntimeTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final Command<String, String> command =
      tenrec
          .command("Subject", (String argument) -> argument)
          .isolation(Isolation.semaphore(1))
          .build();
  private final CommandRuntime runtime = Inside.runtime(command.view());

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private static CommandRuntime runtime(Tenrec tenrec, String key, Isolation isolation) {
    return Inside.runtime(
        tenrec.command(key, (String argument) -> argument).isolation(isolation).build().view());
  }

  private void count(EventType event, int times) {
    for (int i = 0; i < times; i++) {
      runtime.recorder.count(event, time.nanoTime());
    }
  }

  /** An attempt that was outrun came to the dependency as well; retries and hedges are no calls. */
  @Test
  void retryBase_isWhatCameToTheDependency_withoutFurtherAttempts() {
    count(EventType.SUCCESS, 20);
    count(EventType.ATTEMPT_OUTRUN, 5);
    count(EventType.RETRY, 3);
    count(EventType.HEDGE, 2);

    assertThat(runtime.retryBase(Long.MAX_VALUE, time.nanoTime())).isEqualTo(20 + 5 - 3 - 2);
  }

  /** The run that they shared is what the dependency has seen. */
  @Test
  void retryBase_leavesOutCallsThatOnlySharedARun() {
    count(EventType.SUCCESS, 7);
    for (int i = 0; i < 100; i++) {
      runtime.recorder.sharerEnded(EventType.TIMEOUT, time.nanoTime());
    }

    assertThat(runtime.retryBase(Long.MAX_VALUE, time.nanoTime())).isEqualTo(7);
  }

  @Test
  void retryBase_ofALongerWindow_isTheAverageOfThat() {
    tenrec.set("tenrec.command.Subject.metrics.rollingStats.timeInMilliseconds", "60000");
    count(EventType.SUCCESS, 600);

    long tenSeconds = Duration.ofSeconds(10).toNanos();
    assertThat(runtime.retryBase(tenSeconds, time.nanoTime())).isEqualTo(100);
  }

  @Test
  void timeout_ofWorkThatHasJustBegun_isWrittenDownAsOneOfWork() {
    runtime.timedOut(runtime.plan(), null, 0, time.nanoTime());

    assertThat(runtime.lastTrouble())
        .singleElement()
        .isInstanceOfSatisfying(
            JournalEntry.CallTimedOut.class,
            entry ->
                assertThat(entry.timeout())
                    .isEqualTo(new CallTimeout(Duration.ofSeconds(1), true)));
  }

  /** As that of one attempt, or of a stream's item. */
  @Test
  void timeout_ofAnotherLimitThanTheCommands_isWrittenDownWithThat() {
    long limit = Duration.ofMillis(300).toNanos();
    CommandTimeoutException why =
        new CommandTimeoutException(
            "Subject", CommandTimeoutException.Limit.NEXT_ITEM, limit, limit, true, false);

    runtime.timedOut(runtime.plan(), why, 0, time.nanoTime());

    assertThat(runtime.lastTrouble())
        .singleElement()
        .isInstanceOfSatisfying(
            JournalEntry.CallTimedOut.class,
            entry -> assertThat(entry.timeout().timeout()).isEqualTo(Duration.ofMillis(300)));
  }

  /** There was no memory for an error of its own. */
  @Test
  void timeout_whoseErrorSaysNothing_isWrittenDownAsTheCommands() {
    runtime.timedOut(runtime.plan(), Errors.BARE_TIMEOUT, 0, time.nanoTime());

    assertThat(runtime.lastTrouble())
        .singleElement()
        .isInstanceOfSatisfying(
            JournalEntry.CallTimedOut.class,
            entry -> assertThat(entry.timeout().timeout()).isEqualTo(Duration.ofSeconds(1)));
  }

  /** What is refused by the gates, or ended by a deadline, did not come to the dependency. */
  @Test
  void retryBase_doesNotShrinkByRetriesThatAreRefused() {
    AtomicReference<@Nullable Command<String, String>> same = new AtomicReference<>();
    Command<String, String> nested =
        tenrec
            .command(
                "Nested",
                (String argument) -> {
                  if (argument.equals("outer")) {
                    Outcome<String> refused = Objects.requireNonNull(same.get()).attempt("inner");
                    assertThat(refused.attempts()).isEqualTo(2);
                  }
                  return argument;
                })
            .isolation(Isolation.semaphore(1))
            .retry(
                Retry.attempts(2)
                    .onRefusals()
                    .backoff(Duration.ZERO, Duration.ZERO)
                    .howeverLittleTimeIsLeft()
                    .budget(0, 100))
            .build();
    same.set(nested);
    assertThat(nested.execute("outer")).isEqualTo("outer");
    assertThat(nested.execute("again")).isEqualTo("again");

    assertThat(nested.view().cumulativeCount(EventType.RETRY)).isOne();
    assertThat(nested.view().cumulativeCount(EventType.SEMAPHORE_REJECTED)).isEqualTo(2);
    assertThat(Inside.runtime(nested.view()).retryBase(Long.MAX_VALUE, time.nanoTime()))
        .isEqualTo(2);
  }

  @Test
  void deadline_ofWorkThatHasJustBegun_isWrittenDownAsOneOfWork() {
    runtime.beyondDeadline(runtime.plan(), 0, time.nanoTime());

    assertThat(runtime.lastTrouble())
        .singleElement()
        .isInstanceOfSatisfying(
            JournalEntry.CallBeyondDeadline.class, entry -> assertThat(entry.begun()).isTrue());
  }

  /** Else closing would wait for calls by these permits, although none can come. */
  @ParameterizedTest
  @EnumSource(names = {"SEMAPHORE", "VIRTUAL_THREAD"})
  void permits_ofAnotherIsolation_madeWhileItCloses_areShut(IsolationStrategy strategy) {
    Assumptions.assumeTrue(
        strategy != IsolationStrategy.VIRTUAL_THREAD || VirtualThreads.supported());
    InterludeTime interlude = new InterludeTime(time);
    Tenrec closing = Tenrec.builder().time(interlude, time).build();
    CommandRuntime other = runtime(closing, "Other", Isolation.threadPool());
    Isolation isolation =
        strategy == IsolationStrategy.SEMAPHORE
            ? Isolation.semaphore(10)
            : Isolation.virtualThreads(10);
    CommandSettings changed = runtime(closing, "Model", isolation).settings();
    interlude.atMyNextReading(other::close); // read after it looked whether it is closed

    other.prepare(changed).apply();

    assertThat(other.isClosed()).isTrue();
    assertThat(other.isQuiet()).isTrue();
    Elsewhere.close(closing, time);
  }

  @Test
  void settings_thatComeAfterItWasClosed_openNothing() {
    runtime.close();

    runtime.prepare(runtime.settings()).apply();

    assertThatThrownBy(() -> command.execute("x"))
        .isInstanceOfSatisfying(
            CommandRejectedException.class,
            refused ->
                assertThat(refused.reason()).isEqualTo(CommandRejectedException.Reason.CLOSED));
  }
}
