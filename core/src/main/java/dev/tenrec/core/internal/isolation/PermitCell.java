// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Free permits in one word, on cache lines of its own. The low 32 bits are the permits free here,
 * the high 32 bits count how often permits were put here. Taking leaves the count alone, so an
 * unchanged count says that nothing was added in between.
 *
 * <p>The padding stands in classes of its own above and below the word: a JVM may order the fields
 * of one class as it likes, but keeps a superclass's fields before those of its subclass. 128
 * bytes, because hardware prefetches lines in pairs.
 */
class PermitCell extends PermitCellWord {

  long p20;
  long p21;
  long p22;
  long p23;
  long p24;
  long p25;
  long p26;
  long p27;
  long p28;
  long p29;
  long p30;
  long p31;
  long p32;

  PermitCell(int free) {
    super(free);
  }
}

/** The padding before the word. */
class PermitCellFront {
  long p00;
  long p01;
  long p02;
  long p03;
  long p04;
  long p05;
  long p06;
  long p07;
  long p08;
  long p09;
  long p10;
  long p11;
  long p12;
}

/** The word itself and what only its takers look at. */
class PermitCellWord extends PermitCellFront {

  private static final VarHandle WORD;
  private static final long ONE_PUT = 1L << 32;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(PermitCellWord.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // written by takers (CAS) and givers (getAndAdd), read by any thread; all accesses volatile
  private volatile long word;

  // the fewest free permits a taker saw here since the maximum was last asked for; a hint about
  // when to look closer,
  // written and read without any order, because a lost write only costs one look. A long, because a
  // JVM would put an int into the
  // gap behind the object's header, away from the word
  private long low = Long.MAX_VALUE;

  PermitCellWord(int free) {
    word = free;
  }

  static int free(long word) {
    return (int) word;
  }

  static int puts(long word) {
    return (int) (word >>> 32);
  }

  // not final, so that a test can act right after a read; without such a subclass the JVM calls it
  // directly
  long word() {
    return word;
  }

  /** Takes one permit off {@code seen}, which has one; false when the word has changed since. */
  final boolean tryTakeFrom(long seen) {
    return WORD.compareAndSet(this, seen, seen - 1);
  }

  /** Takes permits off {@code seen}, which has as many; false when the word has changed since. */
  final boolean tryTakeFrom(long seen, int permits) {
    return WORD.compareAndSet(this, seen, seen - permits);
  }

  final void put(int permits) {
    WORD.getAndAdd(this, ONE_PUT + permits);
  }

  /** Whether {@code free} is fewer than seen before; remembers it. */
  final boolean isNewLow(int free) {
    if (free >= low) {
      return false;
    }
    low = free;
    return true;
  }

  final void forgetLow() {
    low = Long.MAX_VALUE;
  }
}
