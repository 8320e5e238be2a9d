// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.invocation;

import dev.tenrec.annotations.declaration.CacheKeys;
import dev.tenrec.annotations.declaration.DeclaredCommand;
import dev.tenrec.annotations.declaration.Fallbacks;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import java.util.Objects;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Builds the commands of one declared method. */
final class CommandAssembly {

  private final Tenrec tenrec;
  private final DeclaredCommand declared;
  private final Door door;

  CommandAssembly(Tenrec tenrec, DeclaredCommand declared) {
    this.tenrec = tenrec;
    this.declared = declared;
    Fallbacks fallbacks = declared.fallbacks();
    this.door = Door.of(declared.kind(), fallbacks != null && fallbacks.someAreWrapped());
  }

  Door door() {
    return door;
  }

  /** The one of these keys. */
  @SuppressWarnings("ReturnValueIgnored") // a builder returns itself
  Command<MethodInvocation, @Nullable Object> build(
      String key, String group, @Nullable String pool) {
    CommandBuilder<MethodInvocation, @Nullable Object> builder =
        door.describe(tenrec, key).group(group);
    declared.settings().tell(builder, pool, declared.kind().isStaged());
    Fallbacks fallbacks = declared.fallbacks();
    if (fallbacks != null) {
      builder = builder.fallback(new FallbackAnswer(fallbacks));
    }
    CacheKeys keys = declared.cacheKeys();
    if (keys != null) {
      builder = builder.cacheKey(call -> keys.of(target(call), call.getArguments()));
    }
    return builder.build();
  }

  static Object target(MethodInvocation call) {
    return Objects.requireNonNull(call.getThis(), "a call without a bean");
  }
}
