// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Has a test look on when a Tenrec makes a thread, and fail it: by the builder's package-private
 * {@code beforeEachThread(Runnable)}, where there is one.
 */
final class ThreadSeam {

  private ThreadSeam() {}

  /** Whether there is such a seam; what needs it is skipped otherwise. */
  static boolean isThere() {
    return find() != null;
  }

  /**
   * Runs something before each thread is started, by the thread that starts it.
   *
   * @param look what it throws, the start of the thread throws
   */
  static void beforeEachThread(TenrecBuilder builder, Runnable look) {
    Method method = find();
    if (method == null) {
      throw new IllegalStateException("TenrecBuilder has no beforeEachThread(Runnable)");
    }
    try {
      Object unused = method.invoke(builder, look);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Method find() {
    try {
      return TenrecBuilder.class.getDeclaredMethod("beforeEachThread", Runnable.class);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
