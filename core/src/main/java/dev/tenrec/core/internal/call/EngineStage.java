// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

/** A stage of the engine's own, which the thread that starts it may have to fail. */
public interface EngineStage {

  /** Whether it has ended. */
  boolean isDone();

  /** The thread that started it failed afterwards: it ends with that, after what is on its way. */
  void fail(Throwable thrown);
}
