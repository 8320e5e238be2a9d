// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

/**
 * What the timer leaves to the callback executor, and what remains of it when there is no room: an
 * ending has to be answered all the same.
 *
 * @param task all of it, fallback included
 * @param bare the answer alone
 */
public record HandOver(Runnable task, Runnable bare) implements Runnable {

  @Override
  public void run() {
    task.run();
  }
}
