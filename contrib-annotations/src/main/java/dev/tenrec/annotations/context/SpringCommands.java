// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.context;

import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.work.Call;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What the commands of a Spring context have in common: for code that builds commands there by
 * itself, and wants for them what holds for those of annotations. A bean of this type is in every
 * context with {@link dev.tenrec.annotations.spring.EnableCommands}, and with Boot. Thread-safe.
 */
public interface SpringCommands {

  /**
   * Sets what the environment says of a command beside the properties of core: {@code
   * ignore-exceptions}, {@code ignore-if} and {@code stack-traces}, of the key or of all.
   *
   * @param key of the command
   * @param options of the builder
   * @throws dev.tenrec.core.config.InvalidSettingException if a setting names no class, no bean, or
   *     is no flag
   */
  void configure(String key, CommandOptions<?> options);

  /**
   * To be called before a command is: warns, once a key, or refuses, as {@code
   * tenrec.annotations.in-transaction} says, if this thread is within a transaction and the command
   * would run outside of it.
   *
   * @param key of the command
   * @param isolation where it runs
   * @throws IllegalStateException if that is refused
   */
  void checkTransaction(String key, IsolationStrategy isolation);

  /** Whether the context has a transaction manager, and so {@link #run} something to watch. */
  boolean hasTransactions();

  /**
   * Runs work of a call, or the part of it that is this thread's. A transaction that begins there
   * is not committed after the call's end: its commit is refused with a {@link
   * dev.tenrec.annotations.CommitRefusedException}.
   *
   * @param call whose work it is
   * @return what {@code work} returns
   * @throws Exception what {@code work} throws
   */
  <T extends @Nullable Object> T run(Call call, Callable<T> work) throws Exception;
}
