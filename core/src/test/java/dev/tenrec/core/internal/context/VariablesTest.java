// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.kit.SwitchedLogging;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class VariablesTest {

  private static final Executor ON_A_THREAD = task -> new Thread(task).start();

  private final List<String> closed = new ArrayList<>();
  private final AtomicInteger made = new AtomicInteger();
  private final Variable<String> variable =
      new Variable<>(() -> "made " + made.incrementAndGet(), closed::add);
  private final Variables variables = new Variables();

  @Test
  void get_twice_makesOnce() {
    assertThat(variables.get(variable)).isEqualTo("made 1");
    assertThat(variables.get(variable)).isEqualTo("made 1");
  }

  @Test
  void get_afterMakingThrew_triesAgain() {
    Variable<String> broken =
        new Variable<>(
            () -> {
              if (made.incrementAndGet() == 1) {
                throw new IllegalArgumentException("first");
              }
              return "second";
            },
            closed::add);
    assertThatThrownBy(() -> variables.get(broken)).hasMessage("first");
    assertThat(variables.get(broken)).isEqualTo("second");
  }

  @Test
  void get_ofAnotherVariableWhileMakingOne_works() {
    Variable<String> outer = new Variable<>(() -> "with " + variables.get(variable), closed::add);
    assertThat(variables.get(outer)).isEqualTo("with made 1");
  }

  @Test
  void set_before_makesNothing() {
    variables.set(variable, "mine");
    assertThat(variables.get(variable)).isEqualTo("mine");
    assertThat(made).hasValue(0);
  }

  @Test
  void remove_filled_closesAndForgets() {
    variables.set(variable, "mine");
    variables.remove(variable);
    variables.remove(variable);
    assertThat(closed).containsExactly("mine");
    assertThat(variables.get(variable)).isEqualTo("made 1");
  }

  @Test
  void close_oneThrows_closesTheOthers() {
    for (int i = 0; i < 8; i++) {
      int number = i;
      Variable<String> throwing =
          new Variable<>(
              () -> "value " + number,
              value -> {
                closed.add(value);
                throw new IllegalStateException("does not close");
              });
      assertThat(variables.get(throwing)).isNotNull();
    }
    variables.close();
    assertThat(closed).hasSize(8);
  }

  /** What is logged of a value that does not close may throw, too. */
  @Test
  void close_oneThrowsAndSoDoesTheLogger_closesTheOthers() throws Exception {
    SwitchedLogging.requireInstalled();
    for (int i = 0; i < 8; i++) {
      int number = i;
      Variable<String> throwing =
          new Variable<>(
              () -> "value " + number,
              value -> {
                closed.add(value);
                throw new IllegalStateException("does not close");
              });
      assertThat(variables.get(throwing)).isNotNull();
    }
    Thread here = Thread.currentThread();
    AtomicInteger lines = new AtomicInteger();
    try (AutoCloseable switched =
        SwitchedLogging.on(
            logger -> {
              if (Thread.currentThread() == here) {
                lines.incrementAndGet();
                throw new IllegalStateException("does not log");
              }
              return true;
            })) {
      variables.close();
    }
    assertThat(closed).hasSize(8);
    assertThat(lines).hasValue(8);
  }

  /** Row 160 of the behaviours, where Hystrix made the value in order to close it. */
  @Test
  void close_neverAsked_makesNothing() {
    variables.close();
    assertThat(made).hasValue(0);
    assertThat(closed).isEmpty();
  }

  @Test
  void get_afterClose_isRefused() {
    variables.close();
    assertThatThrownBy(() -> variables.get(variable))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThat(made).hasValue(0);
  }

  /** Row 159: one value, also for threads that come first together. */
  @Test
  @Tag("race")
  void get_byTwoThreadsAtOnce_makesOnce() {
    for (int round = 0; round < 500; round++) {
      made.set(0);
      Variables fresh = new Variables();
      CountDownLatch start = new CountDownLatch(1);
      List<CompletableFuture<String>> both = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        both.add(
            CompletableFuture.supplyAsync(
                () -> {
                  awaitOpen(start);
                  return fresh.get(variable);
                },
                ON_A_THREAD));
      }
      start.countDown();
      both.forEach(one -> assertThat(one.join()).isEqualTo("made 1"));
    }
  }

  /** What was made is closed, or was not made: whichever of both comes first. */
  @Test
  @Tag("race")
  void get_whileClosing_isClosedOrRefused() {
    for (int round = 0; round < 500; round++) {
      made.set(0);
      AtomicInteger ended = new AtomicInteger();
      Variable<Integer> counted =
          new Variable<>(made::incrementAndGet, value -> ended.incrementAndGet());
      Variables fresh = new Variables();
      CountDownLatch start = new CountDownLatch(1);
      CompletableFuture<Void> getting =
          CompletableFuture.runAsync(
              () -> {
                awaitOpen(start);
                try {
                  assertThat(fresh.get(counted)).isOne();
                } catch (IllegalStateException expected) {
                  assertThat(expected).hasMessageContaining("closed");
                }
              },
              ON_A_THREAD);
      start.countDown();
      fresh.close();
      getting.join();
      assertThat(ended.get()).isEqualTo(made.get());
    }
  }

  /** Several that ask: the last to let go closes what one of them has made. */
  @Test
  @Tag("race")
  void get_byTwoWhileClosing_isClosedOrRefused() {
    for (int round = 0; round < 500; round++) {
      made.set(0);
      AtomicInteger ended = new AtomicInteger();
      Variable<Integer> counted =
          new Variable<>(made::incrementAndGet, value -> ended.incrementAndGet());
      Variables fresh = new Variables();
      CountDownLatch start = new CountDownLatch(1);
      List<CompletableFuture<Void>> both = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        both.add(
            CompletableFuture.runAsync(
                () -> {
                  awaitOpen(start);
                  try {
                    assertThat(fresh.get(counted)).isPositive();
                  } catch (IllegalStateException expected) {
                    assertThat(expected).hasMessageContaining("closed");
                  }
                },
                ON_A_THREAD));
      }
      start.countDown();
      fresh.close();
      both.forEach(CompletableFuture::join);
      assertThat(ended.get()).isEqualTo(made.get());
    }
  }

  /** Closing a request must not take as long as somebody else's variable takes to be made. */
  @Test
  void close_whileAValueIsMade_doesNotWait_andTheMakerClosesIt() {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Variable<String> slow =
        new Variable<>(
            () -> {
              making.countDown();
              awaitOpen(release);
              return "late";
            },
            closed::add);
    CompletableFuture<String> getting =
        CompletableFuture.supplyAsync(() -> variables.get(slow), ON_A_THREAD);
    awaitOpen(making);
    variables.close();
    assertThat(closed).isEmpty();
    release.countDown();
    assertThatThrownBy(getting::join)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed while its variable was used");
    assertThat(closed).containsExactly("late");
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
