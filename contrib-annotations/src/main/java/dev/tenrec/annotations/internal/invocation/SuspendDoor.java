// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * For functions of Kotlin's that suspend: a Mono, of which Spring makes the answer of the function.
 */
final class SuspendDoor implements Door {

  private final MonoDoor mono = new MonoDoor();

  @Override
  public CommandBuilder<MethodInvocation, @Nullable Object> describe(
      Tenrec tenrec, String key, boolean seesCall) {
    return mono.describe(tenrec, key, seesCall);
  }

  @Override
  public Object call(
      Command<MethodInvocation, @Nullable Object> command, MethodInvocation invocation) {
    return ((Mono<?>) mono.call(command, invocation))
        .onErrorMap(thrown -> Coroutines.reported(command.key(), thrown));
  }
}
