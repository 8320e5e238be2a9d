// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.Uninterruptibly;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailureLogTest {

  private static final String NONE = "; 0 other failures since the last one that was logged";

  private final CallbackThreads threads = new CallbackThreads();
  private final InterludeTime clock = new InterludeTime(threads.time);
  private final CallbackShare share = threads.bounded(1, 0, clock).newShare("failures");
  private final FailureLog log = new FailureLog(share);
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  @BeforeEach
  void catchLines() {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void close() throws InterruptedException {
    System.setErr(before);
    threads.close();
  }

  private void fail(String what) {
    log.failed(what, new IllegalStateException("on purpose"));
  }

  private List<String> lines() {
    return written
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("FailureLog - "))
        .toList();
  }

  /** The last line says so, and the thread that logged it has left. */
  private void awaitLogged(String text) {
    await().until(() -> lines().stream().anyMatch(line -> line.endsWith(text)));
    await().until(() -> share.threads() == 0);
  }

  @Test
  void failed_oneAfterTheOther_isLoggedEachTime() {
    fail("the first");
    awaitLogged("the first" + NONE);
    fail("the second");
    awaitLogged("the second" + NONE);
    assertThat(lines()).hasSize(2);
  }

  @Test
  void failed_whileOneIsBeingLogged_isCountedAndSaidWithTheNext() throws Exception {
    CountDownLatch logging = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (AutoCloseable lines =
        SwitchedLogging.on(
            logger -> {
              if (logger.equals(FailureLog.class.getName())) { // other threads log as well
                logging.countDown();
                Uninterruptibly.await(goOn);
              }
              return true;
            })) {
      fail("the first");
      Uninterruptibly.await(logging);
      fail("the second");
      fail("the third");
      assertThat(share.waiting()).isZero();
      goOn.countDown();
      awaitLogged("the first" + NONE);
    }
    fail("the fourth");
    awaitLogged("the fourth; 2 other failures since the last one that was logged");
    fail("the fifth");
    awaitLogged("the fifth" + NONE);
    assertThat(lines()).hasSize(3);
  }

  @Test
  void failed_afterTheLoggerThrew_isLogged() throws Exception {
    try (AutoCloseable lines =
        SwitchedLogging.on(
            logger -> {
              if (logger.equals(FailureLog.class.getName())) {
                throw new IllegalStateException("a logger that fails on purpose");
              }
              return true;
            })) {
      fail("the first");
      await().until(() -> share.begun() == 1 && share.threads() == 0);
    }
    fail("the second");
    awaitLogged("the second" + NONE);
  }

  @Test
  void failed_afterOneThatCouldNotBeHandedOver_isLogged() {
    clock.atMyNextReading(
        () -> {
          throw new IllegalStateException("a clock that fails on purpose");
        });
    assertThatThrownBy(() -> fail("the first")).hasMessage("a clock that fails on purpose");
    fail("the second");
    awaitLogged("the second" + NONE);
  }
}
