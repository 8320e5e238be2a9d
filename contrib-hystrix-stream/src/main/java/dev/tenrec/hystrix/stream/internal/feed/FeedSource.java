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

  /**
   * What there is now, as it goes over the wire; empty if there is nothing. Of a source of changes,
   * what has changed since the last reading.
   */
  byte[] read();

  /**
   * Whether a reading is worth nothing to a client that has not had all before it. Such a client
   * gets {@link #whole} instead: first of all, and when it is so far behind that it lost some.
   */
  default boolean readsChanges() {
    return false;
  }

  /** All there is as of the last reading; asked of a source of changes only. */
  default byte[] whole() {
    return read();
  }
}
