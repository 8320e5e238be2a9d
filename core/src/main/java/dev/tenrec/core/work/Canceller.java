// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

/**
 * Stops what does not listen to interrupts: closes a connection, aborts a statement. See {@link
 * Call#onCancel}.
 */
@FunctionalInterface
public interface Canceller {

  /**
   * Stops the work, from another thread than the work's own; only where the call is given up before
   * this is registered, on the thread that registers it.
   *
   * @throws Exception any: it is logged
   */
  void cancel() throws Exception;
}
