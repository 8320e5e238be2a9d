// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.callback.FailureLog;
import dev.tenrec.core.internal.timeout.ClosedTimeouts;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call ends where the timer finds no thread to look after what follows. */
class NoThreadForTheTimerTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private volatile boolean noThreads = true;
  private final Timer timer = new Timer(time, time, this::thread);
  private final List<Object> received = new CopyOnWriteArrayList<>();
  private final List<String> lines = new CopyOnWriteArrayList<>();

  @BeforeEach
  void requireLogging() {
    SwitchedLogging.requireInstalled();
  }

  @AfterEach
  void close() {
    ClosedTimeouts unused = timer.close();
    tenrec.close(Duration.ZERO);
  }

  private Thread thread(Runnable body) {
    if (noThreads) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    Thread thread = new Thread(body, "timer of the test");
    thread.setDaemon(true);
    return thread;
  }

  private CommandRuntime runtime() {
    CommandRuntime model =
        Inside.runtime(
            tenrec
                .command("Model", (String argument) -> argument)
                .isolation(Isolation.semaphore(10))
                .build()
                .view());
    return Inside.withTimer(model, timer);
  }

  private Execution<String, String> call(
      WorkBody<String, String> body, @Nullable Fallback<String, String> fallback) {
    Pipeline<String, String> pipeline =
        new Pipeline<>(runtime(), body, fallback, Classification.DEFAULT, null);
    Receiver<String> receiver =
        new Receiver<>() {
          @Override
          public void onValue(String value) {
            received.add(value);
          }

          @Override
          public void onError(Throwable error) {
            received.add(error);
          }
        };
    return new Execution<>(
        pipeline, pipeline.runtime.plan(), "argument", receiver, false, time.nanoTime());
  }

  /** Its permit does not come back before the timer finds a thread: that has to be said. */
  @Test
  void stageThatIsGivenUp_endsItsCall_andThatIsLogged() throws Exception {
    Execution<String, String> call =
        call(new WorkBody.Staged<>(argument -> new CompletableFuture<>()), null);
    assertThat(call.launch() && call.begin(null)).isTrue();
    call.following = true;
    Exception cause = new TimeoutException("of the test");
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      Completion<String, String> completion = call.pipeline.completion;
      assertThat(completion.claimed(call, EventType.TIMEOUT, null, cause)).isTrue();
      completion.answer(call);

      await().until(() -> lines.contains(FailureLog.class.getName()));
    }
    assertThat(received).containsExactly(cause);
    assertThat(call.pipeline.runtime.metrics.cumulativeCount(EventType.TIMEOUT)).isOne();
  }

  @Test
  void stageThatIsGivenUp_losesItsPermit_onceTheTimerHasFoundAThread() {
    Execution<String, String> call =
        call(new WorkBody.Staged<>(argument -> new CompletableFuture<>()), null);
    assertThat(call.launch() && call.begin(null)).isTrue();
    call.following = true;
    Completion<String, String> completion = call.pipeline.completion;
    Exception cause = new TimeoutException("of the test");
    assertThat(completion.claimed(call, EventType.TIMEOUT, null, cause)).isTrue();
    completion.answer(call);

    noThreads = false;
    timer.startThread(); // as the next call that has a deadline does

    await()
        .untilAsserted(
            () -> {
              time.advance(Duration.ofMinutes(1));
              assertThat(call.hasStopped()).isTrue();
            });
    assertThat(Inside.abandonedStages(call.pipeline.runtime)).isOne();
  }

  /** It waits for a thread of its share without a limit. */
  @Test
  void fallbackThatWaitsForItsShare_answersAllTheSame() {
    Execution<String, String> call =
        call(new WorkBody.Plain<>(argument -> argument), (argument, cause) -> "fallback");
    assertThat(call.launch() && call.begin(null)).isTrue();

    call.pipeline.abandonment.expired(call);

    await().untilAsserted(() -> assertThat(received).containsExactly("fallback"));
  }
}
