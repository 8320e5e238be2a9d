// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.Mistake;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong. Not thread-safe. */
public final class Mistakes {

  private final List<Mistake> all = new ArrayList<>();

  /** About a method of a bean's class. */
  public void add(Class<?> type, Method method, String found, String expected) {
    add(Signatures.where(type, method), found, expected);
  }

  /** About anything. */
  public void add(String where, String found, String expected) {
    Mistake mistake = new Mistake(where, found, expected);
    if (!all.contains(mistake)) {
      all.add(mistake);
    }
  }

  /** Adds all mistakes of another list. */
  public void addAll(List<Mistake> others) {
    others.forEach(mistake -> add(mistake.where(), mistake.found(), mistake.expected()));
  }

  /** All so far. */
  public List<Mistake> all() {
    return List.copyOf(all);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return all.isEmpty();
  }
}
