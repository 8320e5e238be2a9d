// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.state.AllReached;
import dev.tenrec.benchmarks.state.Steered;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A call that succeeds on its caller's thread, while the fleet's settings that its instance follows
 * stay as they are, while they change a hundred times a second, and of an instance without a fleet.
 * Reading a change is another thread's, so it takes a processor beside the caller's. Bytes are of
 * all threads, and so the change's own besides the calls'.
 */
public class SteeredCall extends InNanoseconds {

  public static class Alone extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  public static class Still extends Steered {
    public Still() {
      super(false);
    }
  }

  public static class Changing extends Steered {
    public Changing() {
      super(true);
    }
  }

  @Benchmark
  public String alone(Alone on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String still(Still on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String changing(Changing on) {
    return on.contender.call(question);
  }
}
