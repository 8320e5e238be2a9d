// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import dev.tenrec.benchmarks.contender.Daemon;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.MemoryStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A command of an instance that follows a fleet, whose store is in this JVM. While it is changed,
 * an operator writes a setting of that command anew every 10 ms, and the instance applies it.
 */
@SuppressWarnings("NullAway.Init") // JMH calls start before all else
public abstract class Steered extends AllReached<TenrecContender> {

  private static final long PAUSE_NANOS = 10_000_000;
  private static final long MOST_SECONDS = 60;

  private static final String VOLUME =
      "tenrec.command." + TenrecContender.KEY + ".circuitBreaker.requestVolumeThreshold";

  private final boolean changes;
  private final MemoryStore engine = new MemoryStore();
  private final CountDownLatch applied = new CountDownLatch(2);
  private FleetStore session;
  private FleetMember member;
  private @Nullable Thread writer;

  /**
   * Written by the thread that ends it, read by the one that writes, ordered by volatile access.
   */
  private volatile boolean ended;

  /** Written by the thread that writes, read by the one that ends it, ordered likewise. */
  private volatile @Nullable RuntimeException failed;

  /** With changes, or without. */
  protected Steered(boolean changes) {
    this.changes = changes;
  }

  @Override
  protected final TenrecContender make(
      UnaryOperator<String> work, Function<Throwable, String> fallback) {
    session = engine.connect("instance");
    member = FleetMember.builder(session, "measured").start();
    Tenrec tenrec = Tenrec.builder().remoteSource(member).build();
    TenrecContender made = TenrecContender.onCaller(tenrec, Rules.usual(), work, fallback);
    var unused = member.subscribe(applied::countDown); // after the Tenrec's: it goes by it already
    member.observe(tenrec);
    if (changes) {
      beginChanges();
    }
    return made;
  }

  /** Waits until they are applied. */
  private void beginChanges() {
    Thread writing = new Daemon(this::write);
    writing.start();
    writer = writing;
    try {
      if (!applied.await(MOST_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("no change was applied within " + MOST_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted before a change was applied", e);
    }
  }

  private void write() {
    try (FleetStore operators = engine.connect("operator")) {
      FleetOperator operator = FleetOperator.of(operators);
      for (int i = 0; !ended; i++) {
        var unused =
            operator
                .change("to see what it costs")
                .set(FleetLayer.FLEET, VOLUME, i % 2 == 0 ? "20" : "21")
                .write();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (RuntimeException e) {
      failed = e;
    }
  }

  /** Ends the changes, which went on till then. */
  @TearDown(Level.Trial)
  public final void rest() throws InterruptedException {
    ended = true;
    if (writer != null) {
      writer.join();
    }
    member.close();
    session.close();
    if (failed != null) {
      throw new IllegalStateException("the changes have ended too early", failed);
    }
  }
}
