// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.FallbackMethod;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The call of a fallback that is a command, but private: no proxy has it. */
final class FallbackCall extends ProxiedCall {

  private final FallbackMethod fallback;
  private final @Nullable Object[] given;
  private final Throwable cause;

  /**
   * A call of the fallback.
   *
   * @param call that it answers for, as it came from the proxy
   * @param given the arguments of that call
   */
  FallbackCall(
      MethodInvocation call, FallbackMethod fallback, @Nullable Object[] given, Throwable cause) {
    super(call);
    this.fallback = fallback;
    this.given = given;
    this.cause = cause;
  }

  @Override
  public Method getMethod() {
    return fallback.method();
  }

  @Override
  public @Nullable Object[] getArguments() {
    int taken = fallback.method().getParameterCount();
    @Nullable Object[] arguments = Arrays.copyOf(given, taken);
    if (fallback.cause() != null) {
      arguments[taken - 1] = cause;
    }
    return arguments;
  }

  @Override
  boolean isSubscribers() {
    return false;
  }

  @Override
  public @Nullable Object proceed() throws Throwable {
    Object bean = getThis();
    MethodHandle handle = fallback.handleFor(bean);
    return (Object) handle.invokeExact(bean, given, cause);
  }
}
