// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.collapser.Member;
import io.reactivex.rxjava3.disposables.Disposable;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a collapser's single or maybe: a member that joins with it and leaves by its
 * disposal.
 *
 * @param <R> what the member is answered
 */
abstract class RxMember<R extends @Nullable Object> extends Member<R> implements Disposable {

  @Override
  public void dispose() {
    boolean unused = leave();
  }

  @Override
  public boolean isDisposed() {
    return isSettled();
  }
}
