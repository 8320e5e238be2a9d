// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import org.jspecify.annotations.Nullable;

/** All the memory of a JVM that is there for that. */
final class Ballast {

  private static volatile @Nullable Object held;

  private Ballast() {}

  /** Takes it to the last byte: what is left is too little for an object. */
  static void take() {
    Object[] chain = null;
    int size = 1 << 20;
    while (size > 0) {
      try {
        chain = new Object[] {chain, new byte[size]};
        held = chain;
      } catch (OutOfMemoryError e) {
        size /= 4;
      }
    }
  }

  static void drop() {
    held = null;
  }
}
