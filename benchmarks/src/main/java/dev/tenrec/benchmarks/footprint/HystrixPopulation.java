// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

import com.netflix.hystrix.Hystrix;
import dev.tenrec.benchmarks.ProtectedCall;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.HystrixContender;
import dev.tenrec.benchmarks.contender.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Its commands come to be when the first command object of their key is made. */
public final class HystrixPopulation implements Population {

  private final List<HystrixContender> commands = new ArrayList<>();
  private final Held held = new Held();

  @Override
  public void add(int more) {
    for (int i = 0; i < more; i++) {
      HystrixContender command =
          HystrixContender.onCaller(Rules.usual(), ProtectedCall::answer, Fallbacks.SERVED);
      var unused = command.command("question");
      commands.add(command);
    }
  }

  @Override
  public int size() {
    return commands.size();
  }

  @Override
  public void call(int command) {
    commands.get(command).call("question");
  }

  @Override
  public Object start(int calls) {
    HystrixContender contender =
        HystrixContender.onPool(Held.rules(calls), held::work, Fallbacks.SERVED);
    List<Future<String>> started = new ArrayList<>(calls);
    for (int i = 0; i < calls; i++) {
      started.add(contender.command("question").queue());
    }
    return started;
  }

  /** Resets all of Hystrix in this JVM. */
  @Override
  public void close() {
    held.letGo();
    Hystrix.reset(1, TimeUnit.SECONDS);
  }
}
