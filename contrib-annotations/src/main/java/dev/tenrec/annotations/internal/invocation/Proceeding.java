// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.SneakyThrow;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.util.ClassUtils;

/** Goes on with a call, on whichever thread the command runs. */
final class Proceeding {

  /**
   * AspectJ advice further in asks a thread-local for the call it belongs to. The proxy has set it
   * on the caller's thread only.
   */
  private static final boolean EXPOSE =
      ClassUtils.isPresent("org.aspectj.weaver.Advice", Proceeding.class.getClassLoader());

  private Proceeding() {}

  static @Nullable Object on(MethodInvocation invocation) throws Exception {
    try {
      return EXPOSE && invocation instanceof ProxyMethodInvocation
          ? ExposeInvocationInterceptor.INSTANCE.invoke(invocation)
          : invocation.proceed();
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw SneakyThrow.unchecked(e);
    }
  }

  /** A call that can be made more than once: each subscription goes on with a copy. */
  static MethodInvocation copy(MethodInvocation invocation) {
    return invocation instanceof ProxyMethodInvocation proxied
        ? proxied.invocableClone(invocation.getArguments().clone())
        : invocation;
  }
}
