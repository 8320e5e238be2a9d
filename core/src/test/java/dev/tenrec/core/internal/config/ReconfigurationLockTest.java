// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.metrics.PatientWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** In which order things happen around a change of settings. */
class ReconfigurationLockTest {

  private final List<String> steps = new ArrayList<>();

  /** What the next catching up does. */
  private Runnable changing = () -> {};

  private final ReconfigurationLock lock = new ReconfigurationLock(this::change);

  private void change() {
    steps.add("caught up");
    Runnable now = changing;
    changing = () -> {};
    now.run();
  }

  @Test
  void take_withNothingDue_isTheActionOnly() {
    assertThat(lock.<String>take(() -> "x")).isEqualTo("x");
    assertThat(steps).isEmpty();
  }

  @Test
  void catchUp_inside_waitsForTheOutermostEnd() {
    lock.take(
        () -> {
          lock.take(
              () -> {
                lock.catchUp();
                return steps.add("inner");
              });
          return steps.add("outer");
        });
    assertThat(steps).containsExactly("inner", "outer", "caught up");
  }

  @Test
  void catchUp_whileCatchingUp_isOnceMore() {
    changing = lock::catchUp;
    lock.catchUp();
    assertThat(steps).containsExactly("caught up", "caught up");
  }

  @Test
  void afterwards_always_isInOrder_onceTheLockIsReleased() throws Exception {
    lock.take(
        () -> {
          lock.afterwards(
              () -> {
                steps.add("first, " + (isFree() ? "released" : "held"));
              });
          lock.take(
              () -> {
                lock.afterwards(() -> steps.add("second"));
                return "";
              });
          lock.catchUp();
          return steps.add("action");
        });
    assertThat(steps).containsExactly("action", "caught up", "first, released", "second");
    lock.take(() -> "");
    assertThat(steps).as("reported once").hasSize(4);
  }

  private boolean isFree() {
    CountDownLatch taken = new CountDownLatch(1);
    Thread other =
        new Thread(
            () ->
                lock.take(
                    () -> {
                      taken.countDown();
                      return "";
                    }));
    other.setDaemon(true);
    other.start();
    try {
      return taken.await(PatientWaits.seconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** So that a listener is not notified of a change while it is at the one before. */
  @Test
  void afterwards_ofAChangeByAReport_isWhenThatHasReturned() {
    lock.take(
        () -> {
          lock.afterwards(
              () -> {
                lock.take(
                    () -> {
                      lock.afterwards(() -> steps.add("of the report"));
                      return "";
                    });
                steps.add("report");
              });
          return "";
        });
    assertThat(steps).containsExactly("report", "of the report");
  }

  @Test
  void afterwards_thatThrows_keepsNoOtherFromItsTurn() {
    lock.take(
        () -> {
          lock.afterwards(
              () -> {
                throw new AssertionError("of the test");
              });
          lock.afterwards(() -> steps.add("the other"));
          return "";
        });
    assertThat(steps).containsExactly("the other");
  }

  @Test
  void take_thatThrows_releasesAndReports() {
    assertThatThrownBy(
            () ->
                lock.take(
                    () -> {
                      lock.afterwards(() -> steps.add("reported"));
                      throw new IllegalStateException("of the test");
                    }))
        .hasMessage("of the test");
    assertThat(steps).containsExactly("reported");
    assertThat(isFree()).isTrue();
  }

  @Test
  void catchUp_thatThrows_releasesTheLock() {
    changing =
        () -> {
          throw new IllegalStateException("of the test");
        };
    assertThatThrownBy(lock::catchUp).hasMessage("of the test");
    assertThat(isFree()).isTrue();
  }
}
