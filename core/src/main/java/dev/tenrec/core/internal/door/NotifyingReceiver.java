// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What a door for futures or for Rx reports of an execution that has ended.
 *
 * @param <R> what the command returns
 * @param <T> what is reported
 */
public interface NotifyingReceiver<R extends @Nullable Object, T extends @Nullable Object> {

  /** What is reported as a failure; null if there is a {@link #value}. */
  @Nullable Throwable error(Execution<?, R> ended);

  /** What is reported, if there is no {@link #error}. */
  T value(Execution<?, R> ended);

  /** The answer, or what kept it. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // it hands on what it is handed, null or not
  static <R extends @Nullable Object> NotifyingReceiver<R, R> answer() {
    return (NotifyingReceiver) Answer.INSTANCE;
  }

  /** All about it, which never is a failure. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // it hands on what it is handed, null or not
  static <R extends @Nullable Object> NotifyingReceiver<R, Outcome<R>> outcome() {
    return (NotifyingReceiver) All.INSTANCE;
  }

  /** See {@link NotifyingReceiver#answer}. */
  enum Answer implements NotifyingReceiver<Object, Object> {
    INSTANCE;

    @Override
    public @Nullable Throwable error(Execution<?, Object> ended) {
      return ended.error();
    }

    @Override
    public Object value(Execution<?, Object> ended) {
      return ended.value();
    }
  }

  /** See {@link NotifyingReceiver#outcome}. */
  enum All implements NotifyingReceiver<Object, Outcome<Object>> {
    INSTANCE;

    @Override
    public @Nullable Throwable error(Execution<?, Object> ended) {
      return null;
    }

    @Override
    public Outcome<Object> value(Execution<?, Object> ended) {
      return ended.outcome();
    }
  }
}
