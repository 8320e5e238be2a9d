// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import org.jspecify.annotations.Nullable;

/**
 * A stage of the engine's own, which the thread that starts it may have to fail. It ends without a
 * value and without an error: that is asked for apart, because to complete a stage with one takes
 * memory.
 */
public interface EngineStage {

  /** Whether it has ended. */
  boolean isDone();

  /** What it has failed with; null if it has ended well, or not at all. */
  @Nullable Throwable failure();

  /** The thread that started it failed afterwards: it ends with that, after what is on its way. */
  void fail(Throwable thrown);
}
