// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.context;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something every request has its own of; its identity is its name.
 *
 * @param <T> what it holds
 */
public final class Variable<T extends @Nullable Object> {

  final Supplier<? extends T> initial;
  final Consumer<? super T> onClose;

  /**
   * Holds nothing yet.
   *
   * @param initial makes the value where it is asked for first
   * @param onClose is given the value at the end
   */
  public Variable(Supplier<? extends T> initial, Consumer<? super T> onClose) {
    this.initial = initial;
    this.onClose = onClose;
  }
}
