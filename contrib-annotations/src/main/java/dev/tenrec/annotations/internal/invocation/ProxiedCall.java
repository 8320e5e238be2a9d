// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** A call with something of its subscriber's, such as Reactor's context. */
abstract class ProxiedCall implements MethodInvocation {

  private final MethodInvocation call;

  ProxiedCall(MethodInvocation call) {
    this.call = call;
  }

  /** The call as it came to the command: without what its subscriber added. */
  static MethodInvocation of(MethodInvocation invocation) {
    return invocation instanceof ProxiedCall with && with.isSubscribers() ? with.call : invocation;
  }

  /** Whether it only adds what its subscriber has; otherwise it goes on in a way of its own. */
  boolean isSubscribers() {
    return true;
  }

  /** The call as it came from the proxy. */
  static MethodInvocation innermost(MethodInvocation invocation) {
    MethodInvocation innermost = invocation;
    while (innermost instanceof ProxiedCall with) {
      innermost = with.call;
    }
    return innermost;
  }

  @Override
  public Method getMethod() {
    return call.getMethod();
  }

  @Override
  public @Nullable Object[] getArguments() {
    return call.getArguments();
  }

  @Override
  public @Nullable Object proceed() throws Throwable {
    return call.proceed();
  }

  @Override
  public @Nullable Object getThis() {
    return call.getThis();
  }

  @Override
  public AccessibleObject getStaticPart() {
    return call.getStaticPart();
  }
}
