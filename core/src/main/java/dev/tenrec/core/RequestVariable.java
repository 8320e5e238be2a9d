// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.context.Variable;
import dev.tenrec.core.internal.context.Variables;
import dev.tenrec.core.internal.request.Requests;
import org.jspecify.annotations.Nullable;

/**
 * Something every request of a Tenrec has its own of. Made once by {@link Tenrec#requestVariable},
 * usually kept in a field; thread-safe.
 *
 * <p>Every method throws an IllegalStateException on a thread that is at no request, or at a closed
 * one.
 *
 * @param <T> what it holds
 */
public final class RequestVariable<T extends @Nullable Object> {

  private final Requests requests;
  private final Variable<T> variable;

  RequestVariable(Requests requests, Variable<T> variable) {
    this.requests = requests;
    this.variable = variable;
  }

  /**
   * The value of this thread's request, made now if it has none. It is made once, also when several
   * threads ask at the same time; what making it throws is thrown here, and the next to ask tries
   * again.
   */
  public T get() {
    return values().get(variable);
  }

  /** Replaces the value. The one before is not closed. */
  public void set(T value) {
    values().set(variable, value);
  }

  /**
   * Closes the value and forgets it, so that the next {@link #get} makes a new one. Does nothing if
   * there is none. Throws what closing it throws.
   */
  public void remove() {
    values().remove(variable);
  }

  private Variables values() {
    return requests.variables("a request variable");
  }
}
