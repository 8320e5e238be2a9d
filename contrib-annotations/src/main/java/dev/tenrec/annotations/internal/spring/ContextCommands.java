// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.context.SpringCommands;
import dev.tenrec.annotations.internal.declaration.FaultRules;
import dev.tenrec.annotations.internal.declaration.StartUpSettings;
import dev.tenrec.annotations.internal.invocation.CurrentCall;
import dev.tenrec.annotations.internal.invocation.Transactions;
import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.work.Call;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** What holds for the commands of one context, whatever has built them. */
final class ContextCommands implements SpringCommands {

  private final StartUpSettings settings;
  private final Transactions transactions;

  ContextCommands(StartUpSettings settings, Transactions transactions) {
    this.settings = settings;
    this.transactions = transactions;
  }

  @Override
  public void configure(String key, CommandOptions<?> options) {
    new FaultRules(settings, key).applyTo(options, List.of(), false);
  }

  @Override
  public void checkTransaction(String key, IsolationStrategy isolation) {
    transactions.check(key, isolation);
  }

  @Override
  public boolean hasTransactions() {
    return transactions.areManaged();
  }

  @Override
  public <T extends @Nullable Object> T run(Call call, Callable<T> work) throws Exception {
    return CurrentCall.around(call, work);
  }
}
