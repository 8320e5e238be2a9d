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

  /** Executions that a map finds hard to tell apart: of ten, it fails at the last, and keeps it. */
  private final class Colliding extends Held implements Comparable<Colliding> {

    private final int number;

    Colliding(int number) {
      this.number = number;
    }

    /** Asked once it is in the map: the next one is, too, while this one starts. */
    @Override
    public String commandKey() {
      if (number < 10) {
        Colliding next = new Colliding(number + 1);
        try {
          starter.start(next);
        } catch (OutOfMemoryError e) {
          assertThat(starter.running()).hasSize(number).doesNotContain(next);
          ends.add("not added");
        }
      }
      throw new OutOfMemoryError("of the test");
    }

    @Override
    public int hashCode() {
      return 0;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    /** Asked by the map when it makes a tree of them, which takes memory. */
    @Override
    public int compareTo(Colliding other) {
      throw new OutOfMemoryError("of the map");
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

  /** Closing would wait for it, and report it. */
  @Test
  void start_withoutMemoryToKeepIt_keepsNothingOfIt() {
    starter.start(new Colliding(1));
    assertThat(ends).hasSize(10).startsWith("not added").contains("of the test");
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
