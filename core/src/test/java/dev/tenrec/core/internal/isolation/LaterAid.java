// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import java.util.ArrayList;
import java.util.List;

/** Keeps what is to be tried later until the test says that it is later. */
final class LaterAid implements ThreadStartRetry {

  private final List<Runnable> armed = new ArrayList<>();

  /** Whether both methods throw. */
  volatile boolean breaks;

  @Override
  public synchronized boolean later(Runnable attempt) {
    if (breaks) {
      throw new IllegalStateException("no timer");
    }
    return armed.add(attempt);
  }

  @Override
  public void failed(String what, Throwable thrown) {
    if (breaks) {
      throw new IllegalStateException("no log");
    }
  }

  synchronized int armed() {
    return armed.size();
  }

  /** It is later. */
  void comeTo() {
    List<Runnable> due;
    synchronized (this) {
      due = List.copyOf(armed);
      armed.clear();
    }
    due.forEach(Runnable::run);
  }
}
