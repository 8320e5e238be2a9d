// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.AnswerKind;
import dev.tenrec.annotations.internal.declaration.DeclaredRemoval;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A method after whose success a cached result is removed, before its caller is notified. Another
 * {@link GuardedMethod} makes the call itself.
 */
public final class RemovingMethod implements GuardedMethod {

  private final GuardedMethod call;
  private final DeclaredRemoval removal;
  private final boolean subscribed;
  private final Tenrec tenrec;
  private final Supplier<List<CachedResults>> kept;

  /**
   * Over the method that makes the call.
   *
   * @param call what the method is otherwise
   * @param removal which result
   * @param kept where results are removed; asked for when it is first needed
   */
  public RemovingMethod(
      GuardedMethod call,
      DeclaredRemoval removal,
      Tenrec tenrec,
      Supplier<List<CachedResults>> kept) {
    this.call = call;
    this.removal = removal;
    this.subscribed = removal.isSubscribed();
    this.tenrec = tenrec;
    this.kept = kept;
  }

  @Override
  public @Nullable Object call(MethodInvocation invocation) throws Throwable {
    RequestContext request = tenrec.currentRequest().orElse(null);
    if (subscribed) {
      Object reactive = call.call(invocation);
      return reactive == null ? null : eachRemoving(reactive, invocation, request);
    }
    Runnable remove = removing(invocation, request); // before: the method may change its arguments
    Object answer = call.call(invocation);
    if (answer instanceof CompletionStage<?> stage) {
      Object followed = FollowedFuture.after(stage, remove);
      return followed;
    }
    if (answer != null && AnswerKind.isReactive(answer.getClass())) { // declared as an Object
      return eachRemoving(answer, invocation, request);
    }
    remove.run();
    return answer;
  }

  /** Each subscription removes at its end. */
  private Object eachRemoving(
      Object reactive, MethodInvocation invocation, @Nullable RequestContext called) {
    return Reactive.eachWith(
        reactive, subscribers -> removing(invocation, first(subscribers, called)));
  }

  /**
   * The subscriber's request, or that of the thread that subscribes, or the request the method was
   * called in.
   */
  private @Nullable RequestContext first(
      @Nullable RequestContext subscribers, @Nullable RequestContext called) {
    return subscribers != null ? subscribers : tenrec.currentRequest().orElse(called);
  }

  private static void nothing() {}

  /** What is to be done at the end of a call, on whichever thread that comes. */
  private Runnable removing(MethodInvocation invocation, @Nullable RequestContext request) {
    if (request == null || request.isClosed()) {
      return RemovingMethod::nothing; // nothing is kept
    }
    Object bean = CommandAssembly.target(invocation);
    Object key = removal.cacheKeys().of(bean, invocation.getArguments());
    if (key == null) {
      return RemovingMethod::nothing;
    }
    return request.wrap(
        () -> {
          if (!request.isClosed()) {
            kept.get().forEach(results -> results.remove(removal, bean, key));
          }
        });
  }
}
