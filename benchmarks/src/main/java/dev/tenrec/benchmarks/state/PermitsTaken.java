// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import dev.tenrec.benchmarks.contender.Contender;
import dev.tenrec.benchmarks.contender.Daemon;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.Rules;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The one permit is held by a parked thread before the first call and until after the last. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls start before all else
public abstract class PermitsTaken<C extends Contender> {

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicLong reached = new AtomicLong();
  private Thread holder;

  /** What is measured. */
  public C contender;

  /** Sets it up. */
  protected abstract C make(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback);

  /** Whether its fallback answers, or its error is what the caller gets. */
  protected boolean servesFallback() {
    return true;
  }

  @Setup(Level.Trial)
  public final void start() throws InterruptedException {
    contender =
        make(
            Rules.usual().limit(1).neverOpen(), // a refusal counts for the breaker
            this::hold,
            servesFallback() ? Fallbacks.SERVED : null);
    holder = new Daemon(() -> contender.call("hold"));
    holder.start();
    if (!held.await(20, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the permit was not given to the first call");
    }
  }

  private String hold(String question) {
    reached.incrementAndGet();
    held.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while it held the permit", e);
    }
    return question;
  }

  @TearDown(Level.Trial)
  public final void end() throws InterruptedException {
    try {
      if (reached.get() != 1 || contender.isOpen()) {
        throw new IllegalStateException(
            "every call has to be refused for want of a permit, but "
                + (reached.get() - 1)
                + " got one"
                + (contender.isOpen() ? ", and the circuit opened" : ""));
      }
    } finally {
      release.countDown();
      holder.join(TimeUnit.SECONDS.toMillis(20));
      contender.close();
    }
  }
}
