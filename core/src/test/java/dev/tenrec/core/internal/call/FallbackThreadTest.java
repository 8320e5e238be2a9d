// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Interrupts of a thread at a fallback: what is meant for that goes with it, and no other does. */
class FallbackThreadTest {

  private final Tenrec tenrec = Tenrec.create();

  @AfterEach
  void close() {
    boolean unused = Thread.interrupted();
    tenrec.close(Duration.ZERO);
  }

  private Execution<String, String> execution() {
    Pipeline<String, String> pipeline =
        new Pipeline<>(
            Inside.runtime(tenrec.command("Subject", (String argument) -> argument).build().view()),
            new WorkBody.Plain<>(argument -> argument),
            (argument, cause) -> "fallback",
            Classification.DEFAULT,
            null);
    return new Execution<>(
        pipeline, pipeline.runtime.plan(), "argument", null, false, System.nanoTime());
  }

  private static void openFallback(Execution<String, String> execution) {
    Exception cause = new Exception("of the work");
    Completion<String, String> completion = execution.pipeline.completion;
    assertThat(completion.claimed(execution, EventType.FAILURE, null, cause)).isTrue();
    assertThat(execution.openFallback()).isTrue();
  }

  @Test
  void interrupt_thatWasMeantForTheFallback_isGoneAfterIt() {
    FallbackThread stay = new FallbackThread();
    stay.interrupt();
    assertThat(Thread.currentThread().isInterrupted()).isTrue();

    stay.end();

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void interrupt_ofTheUsers_staysAfterTheFallback() {
    FallbackThread stay = new FallbackThread();
    Thread.currentThread().interrupt();

    stay.end();

    assertThat(Thread.interrupted()).isTrue();
  }

  /** It would hit what the thread does next. */
  @Test
  void interrupt_thatComesAfterTheFallback_doesNotReachItsThread() {
    Execution<String, String> execution = execution();
    openFallback(execution);
    assertThat(execution.beginFallback()).isTrue();
    execution.interruptFallback();
    assertThat(Thread.interrupted()).as("at the fallback").isTrue();

    boolean abandoned = execution.endFallback();
    execution.interruptFallback();

    assertThat(Thread.interrupted()).isFalse();
    assertThat(abandoned).isFalse();
  }

  /** Given up before it began, it is not ended either: its thread does something else next. */
  @Test
  void interrupt_ofAFallbackThatDidNotBegin_doesNotReachItsThread() {
    Execution<String, String> execution = execution();
    openFallback(execution);
    assertThat(execution.pipeline.abandonment.cancel(execution, true, null)).isTrue();

    assertThat(execution.beginFallback()).isFalse();
    execution.interruptFallback();

    assertThat(Thread.interrupted()).isFalse();
  }
}
