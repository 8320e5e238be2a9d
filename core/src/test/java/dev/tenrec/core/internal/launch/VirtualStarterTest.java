// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class VirtualStarterTest {

  private final ManualTime time = new ManualTime();
  private final InFlightMonitor closing = new InFlightMonitor(time, time);
  private final VirtualStarter starter = new VirtualStarter(closing);
  private final CountDownLatch release = new CountDownLatch(1);

  /** What becomes of executions, by any thread. */
  private final List<String> ends = new CopyOnWriteArrayList<>();

  private class Held implements Launchable {

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
      Uninterruptibly.await(release);
      ends.add("ran");
    }

    @Override
    public boolean isAbandoned() {
      return false;
    }

    @Override
    public void failToStart(Throwable cause) {
      ends.add(cause.getMessage());
    }

    @Override
    public void findClosed() {
      ends.add("closed");
    }
  }

  @AfterEach
  void release() {
    release.countDown();
    await().until(() -> starter.live() == 0 && starter.running().isEmpty());
  }

  /** As where there is no memory for another thread: nobody else would end it. */
  @Test
  void start_withoutAThreadToBeHad_endsTheExecution() {
    starter.start(
        new Held() {
          @Override
          public String commandKey() {
            throw new OutOfMemoryError("of the test");
          }
        });
    assertThat(ends).containsExactly("of the test");
    assertThat(starter.live()).isZero();
    assertThat(starter.running()).isEmpty();
  }

  @Test
  void start_afterClose_endsTheExecution() {
    assertThat(starter.close()).isEmpty();
    starter.start(new Held());
    assertThat(ends).containsExactly("closed");
    assertThat(starter.live()).isZero();
    assertThat(starter.running()).isEmpty();
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void requireSupported_beforeJava21_saysWhatIsMissing() {
    assertThatThrownBy(() -> starter.requireSupported("Subject"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Subject: virtual threads need Java 21");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void execution_whileItRuns_isListedAndCounted() {
    Launchable first = new Held();
    Launchable second = new Held();
    starter.start(first);
    starter.start(second);
    assertThat(starter.live()).isEqualTo(2);
    assertThat(starter.running()).containsExactlyInAnyOrder(first, second);
    assertThat(starter.close()).containsExactlyInAnyOrder(first, second);
    assertThat(ends).isEmpty();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void execution_thatEnds_wakesTheThreadThatCloses() {
    starter.start(new Held());
    long deadline = time.nanoTime() + Duration.ofMinutes(1).toNanos();
    Thread closer =
        Elsewhere.start(() -> closing.await(() -> starter.running().isEmpty(), deadline));
    await().until(() -> time.waiting().contains(closer));
    release.countDown();
    await().until(() -> !closer.isAlive()); // no time has moved
    assertThat(ends).containsExactly("ran");
  }
}
