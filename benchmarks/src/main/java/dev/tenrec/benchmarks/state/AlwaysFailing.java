// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import dev.tenrec.benchmarks.ProtectedCall;
import dev.tenrec.benchmarks.contender.Counting;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.Rules;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Every call reaches the protected one and fails there; the fallback answers. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls start before all else
public abstract class AlwaysFailing<C extends Counting> {

  /** What is measured. */
  public C contender;

  /** Sets it up. */
  protected abstract C make(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback);

  @Setup(Level.Trial)
  public final void start() {
    contender = make(Rules.usual().neverOpen(), ProtectedCall::fail, Fallbacks.SERVED);
  }

  @TearDown(Level.Trial)
  public final void end() {
    try {
      if (contender.isOpen()) {
        throw new IllegalStateException(
            "the circuit opened: what was measured is not a failing call");
      }
      Counting.Ends ends = contender.ends();
      if (ends.failed() == 0 || ends.others() != 0) {
        throw new IllegalStateException(
            "every call has to fail in its work and be answered by its fallback, but "
                + ends.failed()
                + " did, and "
                + ends.others()
                + " ended otherwise");
      }
    } finally {
      contender.close();
    }
  }
}
