// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import dev.tenrec.core.internal.timeout.Timer.FailureListener;
import org.jspecify.annotations.Nullable;

/**
 * The last reason why no thread could be started. It is kept until there is a thread again, because
 * reporting it takes one. Thread-safe.
 */
final class StartFailure {

  /** Written once, before the first task, read by runners, ordered by volatile access. */
  private volatile FailureListener listener = (what, thrown) -> {};

  /** Written by the thread that found none, cleared by the runner that reports it; in no order. */
  private volatile @Nullable Throwable last;

  void reportTo(FailureListener failures) {
    listener = failures;
  }

  void keep(Throwable thrown) {
    last = thrown;
  }

  /** On a thread that was started: reports what was kept. */
  void report() {
    Throwable failed = last;
    if (failed != null) {
      last = null;
      listener.failed("callbacks waited, because no thread could be started for them", failed);
    }
  }
}
