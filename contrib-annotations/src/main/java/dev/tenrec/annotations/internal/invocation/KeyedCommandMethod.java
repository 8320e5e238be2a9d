// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.KeyTemplate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A method that is a command for each key its arguments make, up to a bound. Removed ones leave
 * room, and come back with their next call.
 */
final class KeyedCommandMethod implements GuardedMethod {

  private final DeclaredCommand declared;
  private final CommandAssembly assembly;

  /** Written under the lock, so that the bound holds; read by any caller. */
  private final Map<String, GuardedMethod> commands = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();

  KeyedCommandMethod(DeclaredCommand declared, CommandAssembly assembly) {
    this.declared = declared;
    this.assembly = assembly;
  }

  @Override
  public @Nullable Object call(MethodInvocation invocation) throws Throwable {
    GuardedMethod command;
    try {
      command = command(invocation);
    } catch (IllegalStateException | IllegalArgumentException e) {
      return FailedAnswer.of(declared.kind(), e);
    }
    return command.call(invocation);
  }

  private GuardedMethod command(MethodInvocation invocation) {
    String key = declared.key().key(invocation.getArguments());
    GuardedMethod command = commands.get(key);
    return command != null ? command : make(key, invocation);
  }

  @Override
  public @Nullable CachedResults results() {
    return assembly.results();
  }

  private GuardedMethod make(String key, MethodInvocation invocation) {
    @Nullable Object[] arguments = invocation.getArguments();
    KeyTemplate pool = declared.pool();
    lock.lock();
    try {
      GuardedMethod present = commands.get(key);
      if (present != null) {
        return present;
      }
      if (commands.size() >= declared.maxKeys()
          && commands.values().removeIf(GuardedMethod::isClosed)) {
        CachedResults kept = assembly.results();
        if (kept != null) {
          kept.forgetClosed();
        }
      }
      if (commands.size() >= declared.maxKeys()) {
        throw new IllegalStateException(
            "the command "
                + key
                + " is not made: "
                + declared.where()
                + " has "
                + commands.size()
                + " of them by its commandKey \""
                + declared.key()
                + "\" already, and maxKeys is "
                + declared.maxKeys()
                + ". A key stands for one dependency; for more, raise maxKeys");
      }
      String group = declared.group().key(arguments);
      String poolKey = pool == null ? null : pool.key(arguments);
      GuardedMethod made = new ReturningMethod(() -> assembly.build(key, group, poolKey));
      commands.put(key, made);
      return made;
    } finally {
      lock.unlock();
    }
  }
}
