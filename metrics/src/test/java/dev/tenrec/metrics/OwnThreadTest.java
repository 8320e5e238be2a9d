// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A method that heeds no interrupt does not keep JUnit's thread. */
@OwnThread
class OwnThreadTest {

  private Thread caller;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final AtomicBoolean over = new AtomicBoolean();

  @BeforeEach
  void callsFromHere() {
    caller = Thread.currentThread();
  }

  @Test
  void method_ofATest_isOnAThreadOfItsOwn() {
    assertThat(Thread.currentThread()).isNotSameAs(caller);
  }

  @RepeatedTest(2)
  void method_ofATemplate_isOnAThreadOfItsOwn() {
    assertThat(Thread.currentThread()).isNotSameAs(caller);
  }

  @Test
  void failure_ofTheMethod_isTheTestsFailure() {
    IOException failure = new IOException("of the test");

    Throwable thrown =
        catchThrowable(
            () ->
                OwnThread.Runner.run(
                    () -> {
                      throw failure;
                    }));

    assertThat(thrown).isSameAs(failure);
  }

  private Void hangs() {
    begun.countDown();
    while (!over.get()) {
      LockSupport.park(this);
    }
    return null;
  }

  /** As JUnit interrupts its thread, when the limit of a method is over. */
  @Test
  void interrupt_whileTheMethodHangs_failsTheTest_andSaysWhere() throws Exception {
    Thread junit = Thread.currentThread();
    Thread limit =
        new Thread(
            () -> {
              try {
                begun.await();
              } catch (InterruptedException e) {
                return;
              }
              junit.interrupt();
            });
    limit.start();
    try {
      Throwable thrown = catchThrowable(() -> OwnThread.Runner.run(this::hangs));

      assertThat(thrown).isInstanceOf(InterruptedException.class);
      assertThat(Arrays.stream(thrown.getStackTrace()).map(StackTraceElement::getMethodName))
          .contains("hangs");
    } finally {
      over.set(true);
    }
  }
}
