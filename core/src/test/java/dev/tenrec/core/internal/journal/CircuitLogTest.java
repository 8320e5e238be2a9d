// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CircuitLogTest {

  /** The threads of this test: what else logs meanwhile is not its subject. */
  private static final String HERE = "of this test";

  private final ManualTime time = new ManualTime();
  private final Timer timer = new Timer(time, time, Thread::new);
  private final CallbackExecutor executor =
      CallbackExecutor.bounded(4, 0, timer, time, time, body -> new Thread(body, HERE));
  private final CallbackShare callbacks = executor.newShare("log");
  private final CircuitLog log = new CircuitLog(callbacks);
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @BeforeEach
  void catchTheLog() {
    SwitchedLogging.requireInstalled();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void close() {
    System.setErr(before);
    await().until(() -> callbacks.threads() == 0);
    assertThat(executor.close(time.nanoTime(), time.nanoTime())).isEmpty();
    timer.close();
  }

  private static boolean isHere() {
    return Thread.currentThread().getName().equals(HERE);
  }

  private static Transition transition(int number) {
    return new Transition(
        number,
        CircuitState.CLOSED,
        CircuitState.OPEN,
        0,
        Instant.EPOCH,
        TransitionReason.THRESHOLD_REACHED,
        new HealthSnapshot(number, 0, 0),
        new BreakerRules(20, 50, 5_000_000_000L, 1, 1_000));
  }

  private static JournalEntry.CircuitChanged opening(int number) {
    return new JournalEntry.CircuitChanged(
        number, Instant.EPOCH, "Key" + number, transition(number));
  }

  /** Those of this test, without what stands before the message. */
  private List<String> lines() {
    return written
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains(HERE))
        .map(line -> line.substring(line.indexOf(" - ") + 3))
        .toList();
  }

  @Test
  void add_whileTheLoggerBlocks_keepsTheNewestAndSaysHowManyAreMissing() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    try (AutoCloseable lines =
        SwitchedLogging.on(
            logger -> {
              if (isHere()) {
                inside.countDown();
                Uninterruptibly.await(leave);
              }
              return true;
            })) {
      log.add(opening(0));
      log.start();
      Uninterruptibly.await(inside);
      for (int i = 1; i <= CircuitLog.CAPACITY + 3; i++) {
        log.add(opening(i));
        log.start();
      }
      leave.countDown();
      await().until(() -> lines().size() == CircuitLog.CAPACITY + 2);
    } finally {
      leave.countDown();
    }
    assertThat(lines())
        .startsWith(
            "Key0: " + opening(0).text(),
            "3 changes of circuits are not in the log, which blocked",
            "Key4: " + opening(4).text())
        .endsWith("Key1003: " + opening(1_003).text());
  }

  @Test
  void add_afterTheLoggerHasThrown_isWritten() throws Exception {
    AtomicBoolean thrown = new AtomicBoolean();
    try (AutoCloseable lines =
        SwitchedLogging.on(
            logger -> {
              if (isHere() && thrown.compareAndSet(false, true)) {
                throw new AssertionError("logger");
              }
              return true;
            })) {
      log.add(opening(1));
      log.add(opening(2));
      log.start();
      await().until(() -> !lines().isEmpty());
    }
    assertThat(lines()).containsExactly("Key2: " + opening(2).text());
  }

  /** The thread that opened the circuit comes after the threads that closed and opened it again. */
  @Test
  void transition_afterTheNextOnes_isInLogJournalAndReportsInItsOrderAndOnce() {
    Journal journal = new Journal(log);
    List<JournalEntry> streamed = new ArrayList<>();
    journal.reportTo(streamed::add);
    List<Transition> reported = new ArrayList<>();
    List<Transition> made = List.of(transition(1), transition(2), transition(3));
    TransitionOrder order = new TransitionOrder(() -> made);
    for (int latest : new int[] {2, 0, 1}) {
      journal.transition("Key", made.get(latest), order, reported::add);
    }
    assertThat(reported).isEqualTo(made);
    assertThat(streamed).isEqualTo(journal.entries());
    assertThat(journal.entries())
        .extracting(JournalEntry::text)
        .containsExactly(opening(1).text(), opening(2).text(), opening(3).text());
    await().until(() -> lines().size() >= 3);
    assertThat(lines())
        .containsExactly(
            "Key: " + opening(1).text(), "Key: " + opening(2).text(), "Key: " + opening(3).text());
  }
}
