// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

/**
 * Whether there is room on this thread's stack for the end of a stream. An end that runs out of
 * stack half-way is lost: what it has decided is decided, and the futures in it keep the error to
 * themselves. A publisher that sends from deep within its own recursion may have too little room.
 * It gets the error before anything is decided. Its next signal, from nearer to the surface, ends
 * the stream.
 */
public final class StackReserve {

  /** Some tens of kilobytes; a stream's end takes about ten, and what it ends in the user's. */
  private static final int FRAMES = 512;

  private StackReserve() {}

  /**
   * Returns if there is.
   *
   * @throws StackOverflowError if there is not
   */
  public static void check() {
    int unused = down(FRAMES);
  }

  /**
   * As {@link #check}, for a step which comes to one that checks, some frames further in, and must
   * not fail there any more.
   *
   * @throws StackOverflowError if there is not
   */
  public static void checkFurther() {
    int unused = down(2 * FRAMES);
  }

  private static int down(int left) {
    return left == 0 ? 0 : down(left - 1) + 1;
  }
}
