// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.annotations.internal.declaration.AnswerKind;
import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import dev.tenrec.annotations.internal.declaration.KeyTemplate;
import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import java.lang.reflect.Method;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** A method that is one command. */
public final class CommandMethod implements GuardedMethod {

  private final AnswerKind kind;
  private final Door door;
  private final Command<MethodInvocation, @Nullable Object> command;
  private final boolean repeats;
  private final Transactions transactions;
  private final boolean checksSubscriptions;
  private final @Nullable CachedResults results;

  CommandMethod(
      AnswerKind kind,
      Door door,
      Command<MethodInvocation, @Nullable Object> command,
      boolean repeats,
      Transactions transactions,
      @Nullable CachedResults results) {
    this.kind = kind;
    this.door = door;
    this.command = command;
    this.repeats = repeats;
    this.transactions = transactions;
    this.checksSubscriptions = kind.isSubscribed() && transactions.areManaged();
    this.results = results;
  }

  /**
   * Builds it.
   *
   * @param own the commands of the same class, by their methods; asked when calls come
   * @throws RuntimeException if a setting is wrong, or the key was built with other settings
   */
  public static GuardedMethod of(
      Tenrec tenrec,
      DeclaredCommand declared,
      Transactions transactions,
      Function<Method, @Nullable GuardedMethod> own) {
    CommandAssembly assembly = new CommandAssembly(tenrec, declared, transactions, own);
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
    if (repeats || kind.isSubscribed()) {
      AdviceRefusals.expectCopies(invocation);
    }
    MethodInvocation call = repeats ? new RepeatedCall(invocation) : invocation;
    if (kind.isSubscribed()) {
      Object answer = door.call(command, call);
      return checksSubscriptions && answer != null
          ? Reactive.checked(answer, this::checkTransaction)
          : answer;
    }
    try {
      checkTransaction();
    } catch (IllegalStateException e) {
      return FailedAnswer.of(kind, e);
    }
    return door.call(command, call);
  }

  private void checkTransaction() {
    transactions.check(command.key(), command.isolation());
  }
}
