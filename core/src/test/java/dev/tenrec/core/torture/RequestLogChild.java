// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.internal.context.CommandLog;
import dev.tenrec.core.kit.ChildJvm;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a JVM in which the log of a request finds no memory to grow, or enough for a
 * part of it: once there is memory again it takes entries again. Says what was not so, and exits
 * with 1.
 */
final class RequestLogChild {

  /** How many entries there are when the log has to grow: a power of two times its first size. */
  private static final int FULL = 1 << 16;

  private static final int STEP = 200 << 10;
  private static final int STEPS = 15;

  private static volatile byte @Nullable [] spare;

  private RequestLogChild() {}

  /** With so much memory left. */
  private static void grow(int left) {
    CommandLog log = new CommandLog(Integer.MAX_VALUE);
    for (int i = 0; i < FULL; i++) {
      log.add("Get", 1, 1);
    }
    spare = new byte[left];
    Ballast.take();
    spare = null;
    int lost = 0;
    try {
      log.add("Get", 1, 1);
    } catch (OutOfMemoryError e) {
      lost = 1;
    } finally {
      Ballast.drop();
    }
    log.add("Get", 1, 1);
    int entries = log.read().entries().size();
    if (entries != FULL + 2 - lost) {
      throw new AssertionError("with " + left + " bytes: " + entries + " entries");
    }
  }

  public static void main(String[] arguments) {
    try {
      for (int i = 0; i <= STEPS; i++) {
        grow(i * STEP);
      }
      System.out.println(ChildJvm.WELL);
    } catch (Throwable thrown) {
      thrown.printStackTrace();
      System.exit(1);
    }
  }
}
