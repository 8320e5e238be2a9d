// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.engine;

/** One call that is due, to be sent by an engine when it gets to it. */
public interface Shot {

  /** Sends it and waits, on this thread. Throws nothing: the answer is noted. */
  void send();

  /** Sends it and does not wait. Throws nothing. */
  void sendAsync();

  /** It will never be sent. */
  void drop(Throwable why);
}
