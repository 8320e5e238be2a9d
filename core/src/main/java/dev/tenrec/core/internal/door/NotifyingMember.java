// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.outcome.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * A member that passes on what it receives.
 *
 * @param <R> what it is answered
 */
public final class NotifyingMember<R extends @Nullable Object> extends Member<R> {

  private final Receiver<? super R> receiver;

  public NotifyingMember(Receiver<? super R> receiver) {
    this.receiver = receiver;
  }

  @Override
  public void onValue(R value) {
    receiver.onValue(value);
  }

  @Override
  public void onError(Throwable error) {
    receiver.onError(error);
  }
}
