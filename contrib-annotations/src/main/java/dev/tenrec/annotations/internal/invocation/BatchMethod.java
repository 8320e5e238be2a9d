// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A batch method that is a command when the application calls it. A collapser's call is one
 * already, and goes on to the advice further in.
 */
public final class BatchMethod implements GuardedMethod {

  private final Method batch;
  private final GuardedMethod direct;

  /**
   * Over what the application's calls are.
   *
   * @param batch as its class has it
   */
  public BatchMethod(Method batch, GuardedMethod direct) {
    this.batch = batch;
    this.direct = direct;
  }

  @Override
  public @Nullable Object call(MethodInvocation invocation) throws Throwable {
    return BatchArguments.areOf(invocation, batch) ? invocation.proceed() : direct.call(invocation);
  }

  @Override
  public boolean isClosed() {
    return direct.isClosed();
  }

  @Override
  public @Nullable CachedResults results() {
    return direct.results();
  }
}
