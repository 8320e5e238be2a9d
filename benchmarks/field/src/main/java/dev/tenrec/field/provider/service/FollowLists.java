// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import java.util.Arrays;
import java.util.Random;

/**
 * Who follows whom: for each user the identities he follows, ascending, kept as differences of one
 * or two bytes each. Small in memory, and work to read: that work is the provider's own share of a
 * call. Immutable.
 */
final class FollowLists {

  private static final int USERS = 200;
  private static final int FOLLOWED = 30_000;
  private static final int MOST_BETWEEN = 200;
  private static final int SEED = 4;
  private static final int LOW_BITS = 0x7f;
  private static final int MORE = 0x80;

  private final byte[][] lists = new byte[USERS][];

  /** Makes them up, the same each time. */
  FollowLists() {
    Random random = new Random(SEED);
    for (int user = 0; user < USERS; user++) {
      lists[user] = list(random);
    }
  }

  private static byte[] list(Random random) {
    byte[] bytes = new byte[2 * FOLLOWED];
    int end = 0;
    for (int i = 0; i < FOLLOWED; i++) {
      int difference = 1 + random.nextInt(MOST_BETWEEN);
      if (difference > LOW_BITS) {
        bytes[end++] = (byte) (difference & LOW_BITS | MORE);
        difference >>= 7;
      }
      bytes[end++] = (byte) difference;
    }
    return Arrays.copyOf(bytes, end);
  }

  /**
   * Whether the user follows this one. Reads all of it, found or not: one call is as much work as
   * another.
   */
  boolean contains(long user, int identity) {
    boolean found = false;
    Reader reader = new Reader(of(user));
    while (reader.hasNext()) {
      found |= reader.next() == identity;
    }
    return found;
  }

  /** All whom the user follows. */
  int[] all(long user) {
    int[] all = new int[FOLLOWED];
    Reader reader = new Reader(of(user));
    for (int i = 0; reader.hasNext(); i++) {
      all[i] = reader.next();
    }
    return all;
  }

  private byte[] of(long user) {
    return lists[(int) Math.floorMod(user, (long) USERS)];
  }

  private static final class Reader {

    private final byte[] bytes;
    private int at;
    private int identity;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    boolean hasNext() {
      return at < bytes.length;
    }

    int next() {
      int difference = bytes[at++];
      if (difference < 0) {
        difference = difference & LOW_BITS | bytes[at++] << 7;
      }
      identity += difference;
      return identity;
    }
  }
}
