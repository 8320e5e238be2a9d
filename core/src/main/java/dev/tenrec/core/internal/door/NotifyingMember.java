// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.outcome.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * A member that passes on what it receives, until its receiver's own side does not want it.
 *
 * @param <R> what it is answered
 */
public final class NotifyingMember<R extends @Nullable Object> extends Member<R> {

  /**
   * Null once it is not wanted. Set to null by the thread that says so, read by the one that
   * delivers, ordered by volatile access.
   */
  private volatile @Nullable Receiver<? super R> receiver;

  public NotifyingMember(Receiver<? super R> receiver) {
    this.receiver = receiver;
  }

  @Override
  public void dismiss() {
    receiver = null;
    super.dismiss();
  }

  @Override
  public void onValue(R value) {
    Receiver<? super R> present = receiver;
    if (present != null) {
      present.onValue(value);
    }
  }

  @Override
  public void onError(Throwable error) {
    Receiver<? super R> present = receiver;
    if (present != null) {
      present.onError(error);
    }
  }
}
