// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.invocation;

import dev.tenrec.annotations.declaration.AnswerKind;
import dev.tenrec.annotations.declaration.DeclaredRemoval;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** A method after whose success a cached result is removed; what it is otherwise is another's. */
public final class RemovingMethod implements GuardedMethod {

  private final GuardedMethod call;
  private final DeclaredRemoval removal;
  private final Tenrec tenrec;
  private final Supplier<Consumer<Object>> cache;

  /**
   * Over another.
   *
   * @param call what the method is otherwise
   * @param removal which result
   * @param cache clears it by its key; asked for when it is first needed
   */
  public RemovingMethod(
      GuardedMethod call,
      DeclaredRemoval removal,
      Tenrec tenrec,
      Supplier<Consumer<Object>> cache) {
    this.call = call;
    this.removal = removal;
    this.tenrec = tenrec;
    this.cache = cache;
  }

  @Override
  public @Nullable Object call(MethodInvocation invocation) throws Throwable {
    RequestContext request = tenrec.currentRequest().orElse(null);
    if (request == null || request.isClosed()) {
      return call.call(invocation); // nothing is cached
    }
    Object key =
        removal.cacheKeys().of(CommandAssembly.target(invocation), invocation.getArguments());
    Object answer = call.call(invocation);
    if (key == null) {
      return answer;
    }
    // an asynchronous end may come on any thread: the request goes along
    Runnable remove = request.wrap(() -> remove(request, key));
    return after(answer, remove);
  }

  private void remove(RequestContext request, Object key) {
    if (!request.isClosed()) {
      cache.get().accept(key);
    }
  }

  private static @Nullable Object after(@Nullable Object answer, Runnable remove) {
    if (answer instanceof CompletionStage<?> stage) {
      CompletionStage<?> unused =
          stage.whenComplete(
              (value, error) -> {
                if (error == null) {
                  remove.run();
                }
              });
      return answer;
    }
    if (answer != null && AnswerKind.isReactive(answer.getClass())) {
      return Reactive.afterSuccess(answer, remove);
    }
    remove.run();
    return answer;
  }
}
