// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import dev.tenrec.benchmarks.contender.Contender;
import dev.tenrec.benchmarks.contender.Daemon;
import dev.tenrec.benchmarks.contender.Rules;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** The one permit is held by a parked thread before the first call and until after the last. */
@SuppressWarnings("NullAway.Init") // JMH calls start before all else
public abstract class PermitsTaken<C extends Contender> extends Refused<C> {

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicLong reached = new AtomicLong();
  private Thread holder;

  /** See {@link Refused}. */
  protected PermitsTaken(Maker<C> maker, @Nullable Function<Throwable, String> fallback) {
    super(maker, fallback);
  }

  @Setup(Level.Trial)
  public final void start() throws InterruptedException {
    make(Rules.usual().limit(1).neverOpen(), this::hold); // a refusal counts for the breaker
    holder = new Daemon(() -> contender.call("hold"));
    holder.start();
    if (!held.await(120, TimeUnit.SECONDS)) {
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
      holder.join(TimeUnit.SECONDS.toMillis(120));
      contender.close();
    }
  }
}
