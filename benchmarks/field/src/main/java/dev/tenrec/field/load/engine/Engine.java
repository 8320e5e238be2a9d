// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.engine;

/** One way to have many calls in flight. */
public interface Engine extends AutoCloseable {

  /** Takes a shot; does not wait for its answer. */
  void fire(Shot shot);

  /** Drops every shot it has not sent, and takes no more. */
  @Override
  void close();
}
