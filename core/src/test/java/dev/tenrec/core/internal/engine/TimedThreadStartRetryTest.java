// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.metrics.time.ManualTime;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a pool's next try to start a thread comes, and what becomes of one that fails. */
class TimedThreadStartRetryTest {

  private static final Duration PATIENCE = CallbackExecutor.PATIENCE;

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final Engine engine = InsideTenrec.registry(tenrec).engine();
  private final TimedThreadStartRetry retry = new TimedThreadStartRetry(engine);
  private final List<String> happened = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    tenrec.close(Duration.ZERO);
  }

  /** Shows that the timer has come so far. */
  private final class Mark extends Timeout {

    private volatile boolean over;

    Mark(Duration after) {
      super(time.nanoTime() + after.toNanos());
    }

    @Override
    protected boolean isEnded() {
      return over;
    }

    @Override
    protected void expired() {
      over = true;
      happened.add("mark");
    }
  }

  @Test
  void later_tries_onceTheTimeHasPassed_andNotBefore() {
    assertThat(engine.timer().arm(new Mark(PATIENCE.minusMillis(1)))).isTrue();
    assertThat(retry.later(() -> happened.add("try"))).isTrue();
    time.advance(PATIENCE.minusMillis(1));
    await().until(() -> happened.contains("mark"));
    assertThat(happened).doesNotContain("try");

    time.advanceMillis(1);

    await().untilAsserted(() -> assertThat(happened).containsExactly("mark", "try"));
  }

  @Test
  void tryThatThrows_isLogged_andTheNextOneComes() {
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      boolean armed =
          retry.later(
              () -> {
                happened.add("throws");
                throw new OutOfMemoryError("of the test");
              });
      assertThat(armed).isTrue();
      time.advance(PATIENCE);
      await()
          .untilAsserted(
              () ->
                  assertThat(written.toString(StandardCharsets.UTF_8))
                      .contains("a thread could not be started again", "of the test"));
    } finally {
      System.setErr(before);
    }
    assertThat(retry.later(() -> happened.add("try"))).isTrue();
    time.advance(PATIENCE);

    await().untilAsserted(() -> assertThat(happened).containsExactly("throws", "try"));
  }

  @Test
  void later_afterTheTimerHasClosed_saysThatNoTryComes() {
    tenrec.close(Duration.ZERO);

    assertThat(retry.later(() -> happened.add("try"))).isFalse();
  }
}
