// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.internal.invocation.GuardedMethod;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Hands a call to the command its method is. */
final class CommandInterceptor implements MethodInterceptor {

  private final Commands commands;

  CommandInterceptor(Commands commands) {
    this.commands = commands;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object bean = invocation.getThis();
    if (bean == null || CommandAdvisor.standsBefore(bean)) { // another creator's proxy comes next
      return invocation.proceed();
    }
    GuardedMethod method = commands.find(bean.getClass(), invocation.getMethod());
    return method == null ? invocation.proceed() : method.call(invocation);
  }
}
