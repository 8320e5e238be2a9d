// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import dev.tenrec.benchmarks.ProtectedCall;
import dev.tenrec.benchmarks.contender.Contender;
import dev.tenrec.benchmarks.contender.Rules;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** The circuit was opened by failures before the first call, and no call gets through. */
public abstract class CircuitOpen<C extends Contender> extends Refused<C> {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final AtomicLong reached = new AtomicLong();
  private long reachedUntilOpen;

  /** See {@link Refused}. */
  protected CircuitOpen(Maker<C> maker, @Nullable Function<Throwable, String> fallback) {
    super(maker, fallback);
  }

  @Setup(Level.Trial)
  public final void start() {
    make(
        Rules.usual().openAtOnce(),
        question -> {
          reached.incrementAndGet();
          return ProtectedCall.fail(question);
        });
    long begin = System.nanoTime();
    while (!contender.isOpen()) { // some look at their counts only now and then
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new IllegalStateException("the circuit does not open");
      }
      callOnce();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    reachedUntilOpen = reached.get();
  }

  private void callOnce() {
    try {
      contender.call("trip");
    } catch (RuntimeException expected) {
      // without a fallback
    }
  }

  @TearDown(Level.Trial)
  public final void end() {
    try {
      if (!contender.isOpen() || reached.get() != reachedUntilOpen) {
        throw new IllegalStateException(
            "the circuit has to be open for the whole run, but "
                + (reached.get() - reachedUntilOpen)
                + " calls got through");
      }
    } finally {
      contender.close();
    }
  }
}
