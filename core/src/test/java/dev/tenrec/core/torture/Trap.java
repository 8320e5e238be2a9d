// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.kit.Uninterruptibly;
import java.lang.StackWalker.StackFrame;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One step that goes wrong: of all that pass a seam while it is set, the n-th is caught, and fails
 * or blocks there.
 */
final class Trap {

  /** How a step goes wrong. */
  enum Mishap {
    RUNTIME_EXCEPTION,
    OUT_OF_MEMORY,
    STACK_OVERFLOW,
    BLOCKING
  }

  /** What a trap throws; known by its type or, for the JVM's own errors, by its message. */
  static final class Sprung extends RuntimeException {
    Sprung(String message) {
      super(message);
    }
  }

  private static final String MESSAGE = "sprung by a test at ";

  private final int step;
  private final Mishap mishap;
  private final AtomicInteger passed = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);

  /** Written by the test, read by all that pass. */
  private volatile boolean set;

  // Written by the thread that is caught, the thread last; read by the test.
  private volatile String where = "nowhere";
  private volatile @Nullable Thread caught;

  /**
   * Not set yet.
   *
   * @param step which is caught, from 1 on; 0 catches none
   */
  Trap(int step, Mishap mishap) {
    this.step = step;
    this.mishap = mishap;
  }

  /** From now on those that pass are counted. */
  void set() {
    set = true;
  }

  /** Nobody is counted or caught any more. */
  void putAway() {
    set = false;
  }

  /** By the code at the seam; {@code label} says which step of it this is. */
  void pass(String label) {
    if (!set || passed.incrementAndGet() != step) {
      return;
    }
    where = label + " in " + engineFrame();
    caught = Thread.currentThread();
    switch (mishap) {
      case RUNTIME_EXCEPTION -> throw new Sprung(MESSAGE + where);
      case OUT_OF_MEMORY -> throw new OutOfMemoryError(MESSAGE + where);
      case STACK_OVERFLOW -> throw new StackOverflowError(MESSAGE + where);
      case BLOCKING -> block();
    }
  }

  private void block() {
    boolean interrupted = false;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Uninterruptibly.HANGS_SECONDS);
    while (true) { // deaf, as some user code is
      try {
        boolean unused = released.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets go of what blocks. */
  void release() {
    released.countDown();
  }

  /** The thread that was caught; null if none was. */
  @Nullable Thread caught() {
    return caught;
  }

  boolean hasSprung() {
    return caught != null;
  }

  boolean blocks() {
    return mishap == Mishap.BLOCKING;
  }

  /** The step that was caught, as its seam and the engine call it. */
  String where() {
    return where;
  }

  /** Whether it is what a trap threw, or has that as its cause. */
  static boolean isSprung(@Nullable Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t.getMessage() != null && t.getMessage().startsWith(MESSAGE)) {
        return true;
      }
    }
    return false;
  }

  private static String engineFrame() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> frame.getClassName().startsWith("dev.tenrec."))
                    .filter(frame -> !isTest(frame))
                    .findFirst()
                    .map(Trap::shortly)
                    .orElse("no engine"));
  }

  private static boolean isTest(StackFrame frame) {
    String name = frame.getClassName();
    return name.startsWith("dev.tenrec.core.torture.Trap")
        || name.startsWith("dev.tenrec.core.torture.Injected")
        || name.startsWith("dev.tenrec.core.kit.Steps")
        || name.startsWith("dev.tenrec.core.kit.Switched");
  }

  private static String shortly(StackFrame frame) {
    String name = frame.getClassName();
    return name.substring(name.lastIndexOf('.') + 1)
        + "."
        + frame.getMethodName()
        + ":"
        + frame.getLineNumber();
  }

  @Override
  public String toString() {
    return "step " + step + " " + mishap + (hasSprung() ? " (" + where + ")" : " (not reached)");
  }
}
