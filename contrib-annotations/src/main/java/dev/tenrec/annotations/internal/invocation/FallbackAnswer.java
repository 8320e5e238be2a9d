// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.FallbackMethod;
import dev.tenrec.annotations.internal.declaration.Fallbacks;
import dev.tenrec.annotations.internal.declaration.SneakyThrow;
import dev.tenrec.core.work.Fallback;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Answers by the fallback method whose exception is most specific.
 *
 * @param own the commands of the same class, by their methods
 */
record FallbackAnswer(Fallbacks fallbacks, Function<Method, @Nullable GuardedMethod> own)
    implements Fallback<MethodInvocation, @Nullable Object> {

  private static final @Nullable Object[] NONE = new @Nullable Object[0];

  @Override
  @SuppressWarnings("NullAway") // null is a legal answer
  public @Nullable Object apply(MethodInvocation invocation, Throwable cause) throws Exception {
    FallbackMethod method = fallbacks.forCause(cause);
    if (method == null) {
      throw new UnsuitedFallbackException(invocation.getMethod().getName(), cause);
    }
    @Nullable Object[] arguments = fallbacks.takesArguments() ? invocation.getArguments() : NONE;
    if (method.suspends()) {
      return new Substitute(
          Coroutines.start(
              invocation,
              fallbacks.takesArguments(),
              given -> call(method, invocation, given, cause)),
          cause);
    }
    Object answer = call(method, invocation, arguments, cause);
    if (!method.isWrapped()) {
      if (answer == null && isPrimitive(invocation.getMethod().getReturnType())) {
        throw new NullPointerException(
            method.method().getName() + " answered null for a primitive result");
      }
      return answer;
    }
    return answer instanceof Future<?> future && !(answer instanceof CompletionStage)
        ? FutureDoor.await(future)
        : new Substitute(answer, cause);
  }

  private static boolean isPrimitive(Class<?> type) {
    return type.isPrimitive() && type != void.class;
  }

  /**
   * A fallback that is a command itself goes by the bean's proxy, as any call of it; one that is
   * private, which no proxy has, by its command.
   */
  private @Nullable Object call(
      FallbackMethod method,
      MethodInvocation invocation,
      @Nullable Object[] arguments,
      Throwable cause) {
    if (method.isPrivateCommand()) {
      GuardedMethod command = Objects.requireNonNull(own.apply(method.method()));
      try {
        return command.call(
            new FallbackCall(ProxiedCall.innermost(invocation), method, arguments, cause));
      } catch (Throwable e) {
        throw SneakyThrow.unchecked(e);
      }
    }
    Object target = invocation.getThis();
    if (method.isCommand()
        && ProxiedCall.innermost(invocation) instanceof ProxyMethodInvocation proxied) {
      target = proxied.getProxy();
    }
    MethodHandle handle = method.handleFor(target);
    try {
      return (Object) handle.invokeExact(target, arguments, cause);
    } catch (Throwable e) {
      throw SneakyThrow.unchecked(e);
    }
  }
}
