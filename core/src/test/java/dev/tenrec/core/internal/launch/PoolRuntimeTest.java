// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.isolation.PoolLimits;
import dev.tenrec.core.internal.isolation.ThreadStartRetry;
import dev.tenrec.core.internal.isolation.WorkerPool;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolRuntimeTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final Command<String, String> command =
      tenrec.command("Subject", (String s) -> s).withoutTimeout().build();
  private final PoolRuntime pool =
      InsideTenrec.registry(tenrec).pools().iterator().next().runtime();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  /** It may be on its way to a thread: closing has to end it if it gets none. */
  @Test
  void isQuiet_whileACallHasAPermitAndNoThread_isFalse() {
    assertThat(pool.isQuiet()).isTrue();
    assertThat(pool.permits().tryTake()).isTrue();
    assertThat(pool.threads().live()).isZero();
    assertThat(pool.isQuiet()).isFalse();
    pool.permits().give();
    assertThat(pool.isQuiet()).isTrue();
  }

  private static final class Failing implements Launchable {

    private final List<Throwable> causes = new ArrayList<>();

    @Override
    public String commandKey() {
      return "Subject";
    }

    @Override
    public Duration age(long now) {
      return Duration.ZERO;
    }

    @Override
    public void run() {
      throw new AssertionError("there is no thread to run it on");
    }

    @Override
    public boolean isAbandoned() {
      return !causes.isEmpty();
    }

    @Override
    public void failToStart(Throwable cause) {
      causes.add(cause);
    }

    @Override
    public void findClosed() {
      throw new AssertionError("it is not closed");
    }
  }

  private static final class NoRetry implements ThreadStartRetry {

    @Override
    public boolean later(Runnable nextTry) {
      return false;
    }

    @Override
    public void failed(String what, Throwable thrown) {}
  }

  /** Its caller may wait without a time-out. */
  @Test
  void start_withoutAThreadToBeHad_endsTheExecution() {
    WorkerPool workers =
        new WorkerPool(
            "Poor",
            new PoolLimits(1, 1, 0, 0),
            work -> {
              throw new OutOfMemoryError("no thread, on purpose");
            },
            time,
            time,
            new NoRetry());
    PoolRuntime poor = new PoolRuntime("Poor", pool.settings(), workers, pool.threads(), time);
    assertThat(poor.permits().tryTake()).isTrue();
    Failing execution = new Failing();
    poor.start(execution);
    assertThat(execution.causes)
        .extracting(Throwable::getMessage)
        .containsExactly("no thread, on purpose");
  }

  /** Closing waits for its end, too. */
  @Test
  void isQuiet_whileAThreadIsIdle_isFalse() {
    assertThat(command.execute("x")).isEqualTo("x");
    await().until(() -> pool.permits().inUse() == 0);
    assertThat(pool.isQuiet()).isFalse();
    pool.retire();
    await().until(pool::isQuiet);
  }
}
