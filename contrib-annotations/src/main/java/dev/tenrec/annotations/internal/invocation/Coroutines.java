// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.SneakyThrow;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.TimeoutCancellationException;
import kotlinx.coroutines.reactor.MonoKt;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Functions of Kotlin's that suspend. Spring makes a Mono of each call, and so a command is the one
 * of a Mono; fallbacks are called here. Loaded when one is called: Kotlin may be absent.
 */
final class Coroutines {

  private Coroutines() {}

  /**
   * A coroutine in which a fallback runs, once per subscription: with its caller's dispatcher and
   * all else that is in the caller's context, but a job of its own, which ends with the
   * subscription.
   *
   * @param invocation of a function that suspends, for its continuation is the last argument
   * @param takesArguments whether the fallback is given the arguments before that
   * @param fallback given all its arguments, its continuation the last
   */
  static Mono<Object> start(
      MethodInvocation invocation,
      boolean takesArguments,
      Function<@Nullable Object[], @Nullable Object> fallback) {
    @Nullable Object[] arguments = invocation.getArguments();
    int last = arguments.length - 1;
    if (!(arguments[last] instanceof Continuation<?> caller)) {
      throw new IllegalArgumentException(invocation.getMethod() + " got no continuation");
    }
    @Nullable Object[] before =
        takesArguments ? Arrays.copyOf(arguments, last) : new @Nullable Object[0];
    return MonoKt.mono(
        withoutJob(caller.getContext()),
        (scope, continuation) -> {
          @Nullable Object[] given = Arrays.copyOf(before, before.length + 1);
          given[before.length] = continuation;
          try {
            return fallback.apply(given);
          } catch (Throwable e) {
            throw SneakyThrow.unchecked(e);
          }
        });
  }

  /**
   * What a caller gets of an exception. A call that was cancelled from elsewhere is no cancellation
   * of the caller's coroutine, which would end without a word by the exception that stands for it.
   */
  static Throwable reported(String key, Throwable thrown) {
    return thrown instanceof CancellationException
            && !(thrown instanceof TimeoutCancellationException) // the work's own
        ? new IllegalStateException(
            "the call of " + key + " was cancelled, as by its Tenrec's closing", thrown)
        : thrown;
  }

  /** For another coroutine, which has to have a job of its own. */
  static CoroutineContext withoutJob(CoroutineContext context) {
    return context.minusKey(Job.Key);
  }
}
