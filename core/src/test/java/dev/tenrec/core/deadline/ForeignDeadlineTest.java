// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.stream.StreamSource;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A call ends on the thread of another one, which has a deadline: its fallback has what its own
 * caller had, which is none.
 */
class ForeignDeadlineTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final List<Optional<Duration>> seen = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    assertThat(Deadline.current(tenrec)).isEmpty();
  }

  private void look() {
    seen.add(Deadline.current(tenrec).map(Deadline::remaining));
  }

  /** On this thread, in the work of a call with a deadline, which is there again afterwards. */
  private void withinAnother(Runnable what) {
    Command<String, String> other =
        tenrec
            .command(
                "Other",
                (String argument) -> {
                  what.run();
                  look();
                  return argument;
                })
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofMillis(100))
            .withDeadline()
            .build();
    assertThat(other.execute("x")).isEqualTo("x");
    assertThat(seen).containsExactly(Optional.empty(), Optional.of(Duration.ofMillis(100)));
  }

  /** Whether it heeds deadlines itself or not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fallbackOfAStage_hasNotTheDeadlineOfTheCallItEndsIn(boolean withDeadline) {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CommandBuilder<String, String> subject =
        tenrec
            .asyncCommand("Subject", (String argument) -> stage)
            .timeout(Duration.ofMinutes(1))
            .fallback(
                (argument, cause) -> {
                  look();
                  return "fallback";
                });
    CompletableFuture<String> call =
        (withDeadline ? subject.withDeadline() : subject).build().executeAsync("x");

    withinAnother(() -> stage.completeExceptionally(new IOException("of the test")));

    assertThat(call).isCompletedWithValue("fallback");
  }

  @Test
  void fallbackOfAStream_hasNotTheDeadlineOfTheCallItEndsIn() {
    StreamSource source = new StreamSource();
    TestSubscriber<String> subscriber =
        tenrec
            .streamCommand("Subject", (String argument) -> source)
            .fallback(
                (argument, cause) -> {
                  look();
                  return Flowable.just("fallback");
                })
            .build()
            .toFlowable("x")
            .test();

    withinAnother(() -> source.fail(new IOException("of the test")));

    subscriber.assertResult("fallback");
  }
}
