// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Daemon;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A deadline that is set, and ended long before it comes, as nearly all are. */
public class TimeoutArmDisarm extends InNanoseconds {

  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Its thread runs: it looks at what was armed, and drops what has ended. */
  @State(Scope.Benchmark)
  public static class OnTenrec {
    final Timer timer = new Timer(Ticker.system(), Waiter.system(), Daemon::new);

    @TearDown(Level.Trial)
    public void end() {
      var unused = timer.close();
    }
  }

  /** What the JDK has, set up for deadlines that do not come. */
  @State(Scope.Benchmark)
  public static class OnScheduler {
    final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, Daemon::new);

    public OnScheduler() {
      scheduler.setRemoveOnCancelPolicy(true);
    }

    @TearDown(Level.Trial)
    public void end() {
      scheduler.shutdownNow();
    }
  }

  private static final class Node extends Timeout {
    /** Written by the caller, read by the timer's thread. */
    private volatile boolean ended;

    Node(long deadlineNanos) {
      super(deadlineNanos);
    }

    @Override
    protected boolean isEnded() {
      return ended;
    }

    @Override
    protected void expired() {}
  }

  /** The clock, the node, its state; nobody looks at it. */
  @Benchmark
  public Object floor() {
    Node node = new Node(System.nanoTime() + DEADLINE_NANOS);
    node.ended = true;
    return node;
  }

  @Benchmark
  public Object tenrec(OnTenrec on) {
    Node node = new Node(System.nanoTime() + DEADLINE_NANOS);
    if (!on.timer.arm(node)) {
      throw new IllegalStateException("the timer is closed");
    }
    node.ended = true;
    return node;
  }

  @Benchmark
  public Future<?> scheduledExecutor(OnScheduler on) {
    Future<?> deadline = on.scheduler.schedule(() -> {}, DEADLINE_NANOS, TimeUnit.NANOSECONDS);
    deadline.cancel(false);
    return deadline;
  }
}
