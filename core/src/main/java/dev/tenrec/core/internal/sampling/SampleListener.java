// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sampling;

/**
 * Receives what a {@link Sampler} reads, or what else there is to report. Everything is called on
 * the callback threads; never twice at once.
 *
 * @param <T> what is read
 */
public interface SampleListener<T> {

  /**
   * A value; older ones that came while this was busy may be gone. It may take as long as it likes.
   * What it throws is logged, and the listener has left: it receives nothing more.
   */
  void sampled(T value);

  /** There will be no more: what was read is no more. Called once, last. */
  void ended();
}
