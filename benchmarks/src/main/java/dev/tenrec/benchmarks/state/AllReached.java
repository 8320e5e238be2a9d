// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import dev.tenrec.benchmarks.ProtectedCall;
import dev.tenrec.benchmarks.contender.Contender;
import dev.tenrec.benchmarks.contender.Fallbacks;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Every call reaches the protected one: no refusal, no fallback, no open circuit. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls start before all else
public abstract class AllReached<C extends Contender> {

  private final Fallbacks.Forbidden fallback = new Fallbacks.Forbidden();

  /** What is measured. */
  public C contender;

  /** Sets it up. */
  protected abstract C make(UnaryOperator<String> work, Function<Throwable, String> fallback);

  @Setup(Level.Trial)
  public final void start() {
    contender = make(ProtectedCall::answer, fallback);
  }

  @TearDown(Level.Trial)
  public final void end() {
    try {
      fallback.check();
      if (contender.isOpen()) {
        throw new IllegalStateException("the circuit opened, though no call failed");
      }
    } finally {
      contender.close();
    }
  }
}
