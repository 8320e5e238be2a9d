// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A call that may be attempted again. A call can go on through its proxy's advice only once, so
 * each attempt goes on with a copy of its own.
 */
final class RepeatedCall extends ProxiedCall {

  private final MethodInvocation call;

  RepeatedCall(MethodInvocation call) {
    super(call);
    this.call = call;
  }

  @Override
  boolean isSubscribers() {
    return false;
  }

  @Override
  public @Nullable Object proceed() throws Throwable {
    return Proceeding.on(Proceeding.copy(call));
  }
}
