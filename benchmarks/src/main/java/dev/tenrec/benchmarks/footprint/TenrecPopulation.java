// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

import dev.tenrec.benchmarks.ProtectedCall;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Ours: one Tenrec, whose own memory is not its commands'. */
public final class TenrecPopulation implements Population {

  private final Tenrec tenrec = Tenrec.create();
  private final List<Command<String, String>> commands = new ArrayList<>();
  private final Held held = new Held();
  private @Nullable TenrecContender pooled;

  @Override
  public void add(int more) {
    for (int i = 0; i < more; i++) {
      commands.add(
          tenrec
              .command("Command" + commands.size(), ProtectedCall::answer)
              .isolation(Isolation.semaphore(10))
              .fallback((question, cause) -> "fallback")
              .build());
    }
  }

  @Override
  public int size() {
    return commands.size();
  }

  @Override
  public void call(int command) {
    commands.get(command).execute("question");
  }

  @Override
  public Object start(int calls) {
    TenrecContender contender =
        TenrecContender.onPool(Held.rules(calls), held::work, Fallbacks.SERVED);
    pooled = contender;
    List<Future<String>> started = new ArrayList<>(calls);
    for (int i = 0; i < calls; i++) {
      started.add(contender.callAsync("question"));
    }
    return started;
  }

  @Override
  public void close() {
    held.letGo();
    tenrec.close();
    if (pooled != null) {
      pooled.close();
    }
  }
}
