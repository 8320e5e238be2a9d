// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thread gives calls up where its stack is nearly full, as deep in a recursion of the user's. */
class CancelWithoutStackTest {

  /** Enough for the way back from the end of the stack to where there is room again. */
  private static final int CALLS = 5_000;

  private static final CancellationException CLOSED = new CancellationException("closed");

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final CommandView view =
      tenrec
          .command("Subject", (String argument) -> argument)
          .isolation(Isolation.semaphore(1))
          .build()
          .view();
  private final Pipeline<String, String> pipeline = pipeline();
  private final List<Execution<String, String>> calls =
      Stream.generate(this::call).limit(CALLS).toList();

  /** How many of the calls were tried. Of the thread that has little stack. */
  private int tried;

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private Pipeline<String, String> pipeline() {
    return new Pipeline<>(
        Inside.runtime(view),
        new WorkBody.Plain<>(argument -> argument),
        null,
        Classification.DEFAULT,
        null);
  }

  private Execution<String, String> call() {
    return new Execution<>(
        pipeline, pipeline.runtime.plan(), "argument", null, false, pipeline.now());
  }

  /** Goes on until the stack is full, and gives a call up at each step of the way back. */
  @SuppressWarnings("InfiniteRecursion") // until the stack is full
  private void dig() {
    try {
      dig();
    } catch (StackOverflowError end) {
      // from here on there is a little more room at each step
    }
    if (tried < CALLS) {
      boolean unused = pipeline.abandonment.cancel(calls.get(tried++), false, CLOSED);
    }
  }

  @Test
  void cancel_throwsBeforeItHasDoneAnything_orEndsTheCall() {
    CompletableFuture<Boolean> dug =
        Elsewhere.call(
            () -> {
              dig();
              return true;
            });

    assertThat(dug).succeedsWithin(PatientWaits.patience());
    List<Execution<String, String>> begun = calls.subList(0, tried);
    assertThat(begun).filteredOn(call -> !call.isClaimed()).as("without room").isNotEmpty();
    assertThat(begun).filteredOn(Execution::isAnswered).as("with room").isNotEmpty();
    assertThat(begun).filteredOn(call -> call.isClaimed() != call.isAnswered()).isEmpty();
    long ended = begun.stream().filter(Execution::isAnswered).count();
    assertThat(view.cumulativeCount(EventType.CANCELLED)).isEqualTo(ended);
  }
}
