// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

/** Has another thread deliver to a member whose ending is published: that runs user code. */
@FunctionalInterface
public interface Deliverer {

  /** Runs it soon on another thread. Neither waits nor throws. */
  void deliver(Runnable delivery);

  /** For tests: on this thread. */
  Deliverer HERE = Runnable::run;
}
