// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

/**
 * Where an InterruptedException comes from that work on the caller's thread has thrown: from an
 * interrupt of this thread, or from elsewhere, so that it says nothing of the caller. The flag does
 * not show that, for an interrupt that throws clears it. The stack trace does: an exception made on
 * this thread during the call has in its trace what is below the call, too.
 */
final class InterruptOrigin {

  /** Of the frames above what both have in common, this thread's are all ours. */
  private static final String OURS = InterruptOrigin.class.getPackageName() + ".";

  private static final int COMMON_DEPTH = 1_024;

  private InterruptOrigin() {}

  /** Longer traces are cut off at the bottom; a JVM may be set to cut off earlier. */
  private static final class Longest {
    static final int LENGTH = length(COMMON_DEPTH);

    private static int length(int more) {
      return more == 0 ? new Throwable().getStackTrace().length : length(more - 1);
    }
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
      return its.length >= Longest.LENGTH || isAbove(its, new Throwable().getStackTrace());
    } catch (StackOverflowError | NoClassDefFoundError deep) {
      return true; // no room to find out
    }
  }

  /** Whether {@code its} goes on where {@code here}, but for some frames of ours, begins. */
  private static boolean isAbove(StackTraceElement[] its, StackTraceElement[] here) {
    if (here.length >= Longest.LENGTH) {
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
