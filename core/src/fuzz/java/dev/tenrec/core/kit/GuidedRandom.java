// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import java.util.Random;
import java.util.stream.Stream;

/**
 * Lots that the bytes of an input say, one byte each where it suffices: an input that is changed a
 * little draws other lots in one place. Behind its end, all are zero.
 */
public final class GuidedRandom extends Random {

  private static final long serialVersionUID = 1;

  private final byte[] input;
  private int at;

  /** Draws from this input. */
  public GuidedRandom(byte[] input) {
    this.input = input;
  }

  /**
   * Inputs to begin with, the same each time: it would take long to come from the empty one to
   * those that say all that can be drawn.
   *
   * @param count how many inputs
   * @param lots how many bytes each has
   */
  public static Stream<byte[]> beginnings(int count, int lots) {
    Random random = new Random(count);
    return Stream.generate(
            () -> {
              byte[] input = new byte[lots];
              random.nextBytes(input);
              return input;
            })
        .limit(count);
  }

  @Override
  protected int next(int bits) {
    int drawn = 0;
    for (int got = 0; got < bits; got += Byte.SIZE) {
      drawn = drawn << Byte.SIZE | take();
    }
    return bits == Integer.SIZE ? drawn : drawn & (1 << bits) - 1;
  }

  @Override
  public int nextInt(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound must be positive, but is " + bound);
    }
    return next(bound <= 1 << Byte.SIZE ? Byte.SIZE : Integer.SIZE - 1) % bound;
  }

  private int take() {
    return at == input.length ? 0 : input[at++] & 0xff;
  }
}
