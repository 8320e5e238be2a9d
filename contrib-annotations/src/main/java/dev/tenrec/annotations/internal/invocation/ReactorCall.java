// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import org.aopalliance.intercept.MethodInvocation;
import reactor.util.context.ContextView;

/** A call made by a subscription, with the context of its subscriber. */
final class ReactorCall extends ProxiedCall {

  private final ContextView context;

  ReactorCall(MethodInvocation call, ContextView context) {
    super(call);
    this.context = context;
  }

  ContextView context() {
    return context;
  }
}
