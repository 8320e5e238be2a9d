// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.CacheKeys;
import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.Fallbacks;
import dev.tenrec.annotations.internal.declaration.KotlinFunctions;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Builds the commands of one declared method. */
final class CommandAssembly {

  private final Tenrec tenrec;
  private final DeclaredCommand declared;
  private final Transactions transactions;
  private final Function<Method, @Nullable GuardedMethod> own;
  private final @Nullable CachedResults results;

  /**
   * Of a method.
   *
   * @param own the commands of the same class, by their methods; asked when calls come
   */
  CommandAssembly(
      Tenrec tenrec,
      DeclaredCommand declared,
      Transactions transactions,
      Function<Method, @Nullable GuardedMethod> own) {
    this.tenrec = tenrec;
    this.declared = declared;
    this.own = own;
    this.transactions = transactions;
    CacheKeys keys = declared.cacheKeys();
    this.results =
        keys == null
            ? null
            : new CachedResults(
                tenrec, declared.type(), declared.method(), declared.key().toString(), keys);
  }

  /** What all commands of the method keep; null if they keep nothing. */
  @Nullable CachedResults results() {
    return results;
  }

  /** Builds the command of these keys. */
  GuardedMethod build(String key, String group, @Nullable String pool) {
    return declared.kind().isStream() ? stream(key, group, pool) : single(key, group, pool);
  }

  private GuardedMethod stream(String key, String group, @Nullable String pool) {
    Fallbacks fallbacks = declared.fallbacks();
    StreamCommandBuilder<MethodInvocation, Object> builder =
        StreamMethod.describe(
                tenrec,
                key,
                declared.kind(),
                fallbacks == null ? null : new FallbackAnswer(fallbacks, own))
            .group(group)
            .ignoreIf(AdviceRefusals::isRefusal);
    declared.settings().applyTo(builder, key, pool, true);
    return new StreamMethod(
        declared.kind(),
        builder.build(),
        KotlinFunctions.suspends(declared.method()),
        transactions);
  }

  private GuardedMethod single(String key, String group, @Nullable String pool) {
    Fallbacks fallbacks = declared.fallbacks();
    Door door =
        KotlinFunctions.suspends(declared.method())
            ? new SuspendDoor()
            : Door.of(
                declared.kind(), fallbacks != null && fallbacks.someAreWrapped(), results != null);
    CommandBuilder<MethodInvocation, @Nullable Object> builder =
        door.describe(tenrec, key, transactions.areManaged())
            .group(group)
            .ignoreIf(AdviceRefusals::isRefusal);
    declared.settings().applyTo(builder, key, pool, declared.kind().isStaged());
    if (fallbacks != null) {
      builder = builder.fallback(new FallbackAnswer(fallbacks, own));
    }
    Retry retry = declared.settings().retry(key);
    if (retry != null) {
      builder = builder.retry(retry);
    }
    Hedge hedge = declared.settings().hedge();
    if (hedge != null) {
      builder = builder.hedge(hedge);
    }
    boolean repeats = retry != null || hedge != null;
    CachedResults kept = results;
    if (kept == null) {
      return new CommandMethod(declared.kind(), door, builder.build(), repeats, transactions, null);
    }
    Command<MethodInvocation, @Nullable Object> command =
        builder.cacheKey(call -> kept.key(target(call), call.getArguments())).build();
    kept.in(key, command::clearCache, command::isClosed);
    return new CommandMethod(declared.kind(), door, command, repeats, transactions, kept);
  }

  static Object target(MethodInvocation call) {
    return Objects.requireNonNull(call.getThis(), "a call without a bean");
  }
}
