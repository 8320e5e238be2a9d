// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

/** What a feed reads. Its methods are called by one thread at a time. */
public interface FeedSource {

  /**
   * Begins, for a first client has come.
   *
   * @param onEnd to be run, on any thread, when there will be no more
   * @return what ends it, when the last client has left
   */
  Runnable begin(Runnable onEnd);

  /** What there is now, as it goes over the wire; empty if there is nothing. */
  byte[] read();
}
