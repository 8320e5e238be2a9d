// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

/**
 * Where an InterruptedException comes from that work on the caller's thread has thrown: from an
 * interrupt of this thread, or from elsewhere, so that it says nothing of the caller. The flag does
 * not show that, for an interrupt that throws clears it. The stack trace does: an exception made on
 * this thread during the call has in its trace what is below the call, too.
 */
final class InterruptOrigin {

  /**
   * Of the frames above what both have in common, this thread's are all ours: of this package, or
   * of one beside it, as those of a stream's fallback are.
   */
  private static final String OURS = ours(InterruptOrigin.class.getPackageName());

  private static final int COMMON_DEPTH = 1_024;

  /**
   * Longer traces are cut off at the bottom; a JVM may be set to cut off earlier. 0 until that is
   * known: a thread without the stack to find out leaves it to the next. Written by any thread that
   * finds out; each finds the same.
   */
  private static volatile int longest;

  private InterruptOrigin() {}

  private static String ours(String here) {
    return here.substring(0, here.lastIndexOf('.') + 1);
  }

  private static int longest() {
    int known = longest;
    if (known == 0) {
      known = length(COMMON_DEPTH);
      longest = known;
    }
    return known;
  }

  private static int length(int more) {
    return more == 0 ? new Throwable().getStackTrace().length : length(more - 1);
  }

  /**
   * Whether it may have been made on this thread during this call: false only if it certainly was
   * not. To be asked where the work was called, or above.
   */
  static boolean mayBeHere(InterruptedException thrown) {
    StackTraceElement[] its = thrown.getStackTrace();
    if (its.length == 0) {
      return true;
    }
    try {
      return its.length >= longest() || isAbove(its, new Throwable().getStackTrace());
    } catch (StackOverflowError deep) {
      return true; // no room to find out
    }
  }

  /** Whether {@code its} goes on where {@code here}, but for some frames of ours, begins. */
  private static boolean isAbove(StackTraceElement[] its, StackTraceElement[] here) {
    if (here.length >= longest()) {
      return true;
    }
    int common = 0;
    while (common < its.length
        && common < here.length
        && its[its.length - 1 - common].equals(here[here.length - 1 - common])) {
      common++;
    }
    for (int i = 0; i < here.length - common; i++) {
      if (!here[i].getClassName().startsWith(OURS)) {
        return false;
      }
    }
    return true;
  }
}
