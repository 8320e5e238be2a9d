// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.floor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** So many calls at once, exactly: one word, alone on its cache lines, changed by CAS. */
final class Permit extends PermitTail {

  private static final VarHandle FREE;

  static {
    try {
      FREE = MethodHandles.lookup().findVarHandle(PermitWord.class, "free", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  Permit(int limit) {
    free = limit;
  }

  boolean tryTake() {
    int seen = free;
    while (seen > 0) {
      if (FREE.compareAndSet(this, seen, seen - 1)) {
        return true;
      }
      seen = free;
    }
    return false;
  }

  void give() {
    int seen = free;
    while (!FREE.compareAndSet(this, seen, seen + 1)) {
      seen = free;
    }
  }
}

/** 128 bytes before the word: neighbouring lines are fetched in pairs. */
class PermitHead {
  long a0;
  long a1;
  long a2;
  long a3;
  long a4;
  long a5;
  long a6;
  long a7;
  long a8;
  long a9;
  long a10;
  long a11;
  long a12;
  long a13;
  long a14;
  long a15;
}

class PermitWord extends PermitHead {
  /** Written and read by all callers, by CAS. */
  volatile int free;
}

/** And 128 after it. */
class PermitTail extends PermitWord {
  long b0;
  long b1;
  long b2;
  long b3;
  long b4;
  long b5;
  long b6;
  long b7;
  long b8;
  long b9;
  long b10;
  long b11;
  long b12;
  long b13;
  long b14;
  long b15;
}
