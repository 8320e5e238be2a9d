// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.KeyTemplate;
import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** A method that is one command. */
public final class CommandMethod implements GuardedMethod {

  private final Door door;
  private final Command<MethodInvocation, @Nullable Object> command;
  private final @Nullable CachedResults results;

  CommandMethod(
      Door door,
      Command<MethodInvocation, @Nullable Object> command,
      @Nullable CachedResults results) {
    this.door = door;
    this.command = command;
    this.results = results;
  }

  /**
   * Builds it.
   *
   * @throws RuntimeException if a setting is wrong, or the key was built with other settings
   */
  public static GuardedMethod of(Tenrec tenrec, DeclaredCommand declared) {
    CommandAssembly assembly = new CommandAssembly(tenrec, declared);
    if (!declared.key().isLiteral()) {
      return new KeyedCommandMethod(declared, assembly);
    }
    String pool = null;
    KeyTemplate named = declared.pool();
    @Nullable Object[] none = new @Nullable Object[0];
    if (named != null) {
      pool = named.key(none);
    }
    String key = declared.key().key(none);
    String group = declared.group().key(none);
    String poolKey = pool;
    return new ReturningMethod(() -> assembly.build(key, group, poolKey));
  }

  @Override
  public boolean isClosed() {
    return command.isClosed();
  }

  @Override
  public @Nullable CachedResults results() {
    return results;
  }

  @Override
  public @Nullable Object call(MethodInvocation invocation) throws Throwable {
    return door.call(command, invocation);
  }
}
