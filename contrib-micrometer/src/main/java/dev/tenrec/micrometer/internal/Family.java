// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal;

import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All series of one name: what both ways of publishing are made of, so that their names and numbers
 * cannot differ.
 *
 * @param name in Micrometer's spelling
 * @param description one line for the reader of a scrape
 * @param counter whether it only grows; else it is a gauge
 * @param series each with tags of its own beside those of the subject, of the same keys
 * @param <S> what the numbers are read from
 */
public record Family<S>(String name, String description, boolean counter, List<Series<S>> series) {

  /**
   * One number.
   *
   * @param tags what distinguishes it within its family; may be empty
   * @param value reads it
   * @param <S> what it is read from
   */
  public record Series<S>(Tags tags, ToDoubleFunction<S> value) {}

  static <S> Family<S> counter(String name, String description, ToDoubleFunction<S> value) {
    return new Family<>(name, description, true, List.of(new Series<>(Tags.empty(), value)));
  }

  static <S> Family<S> gauge(String name, String description, ToDoubleFunction<S> value) {
    return new Family<>(name, description, false, List.of(new Series<>(Tags.empty(), value)));
  }
}
