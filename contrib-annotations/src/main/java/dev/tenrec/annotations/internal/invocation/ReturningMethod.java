// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** A method whose command comes back with the next call after its key was removed. */
final class ReturningMethod implements GuardedMethod {

  private final Returning<GuardedMethod> commands;

  ReturningMethod(Supplier<GuardedMethod> build) {
    this.commands = new Returning<>(build, GuardedMethod::isClosed);
  }

  @Override
  public @Nullable Object call(MethodInvocation invocation) throws Throwable {
    return commands.current().call(invocation);
  }

  @Override
  public boolean isClosed() {
    return commands.isClosed();
  }

  @Override
  public @Nullable CachedResults results() {
    return commands.current().results();
  }
}
