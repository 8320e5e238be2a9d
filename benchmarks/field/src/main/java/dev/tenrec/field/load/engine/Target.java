// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.engine;

import java.util.concurrent.CompletionStage;

/** What is called, again and again, by many at once. Thread-safe. */
public interface Target extends AutoCloseable {

  /**
   * Calls, and waits for the answer.
   *
   * @return the HTTP status of the answer, or what would be one
   */
  int call() throws Exception;

  /** Calls, and does not wait. */
  CompletionStage<Integer> callAsync();

  /** Breaks off what is going on: such calls fail, and so do those that come later. */
  @Override
  void close() throws Exception;
}
