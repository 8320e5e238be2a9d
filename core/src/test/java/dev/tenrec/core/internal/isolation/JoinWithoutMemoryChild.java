// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import dev.tenrec.core.kit.ChildJvm;
import dev.tenrec.metrics.time.ManualTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a JVM in which workers join a pool until there is no memory to keep another.
 * Exits with 1 if the pool has one that did not join.
 */
final class JoinWithoutMemoryChild {

  /** So many have joined before the memory is taken: the next but few make what keeps them grow. */
  private static final int BEFORE = 366;

  private static final int MORE = 500;

  private static @Nullable Object ballast;

  /** Enough for some more, and too little for what keeps them to grow. */
  private static byte @Nullable [] reserve = new byte[1_000];

  private JoinWithoutMemoryChild() {}

  public static void main(String[] arguments) {
    ManualTime time = new ManualTime();
    PoolLimits limits = new PoolLimits(1_000, 1_000, 0, 1);
    WorkerPool pool =
        new WorkerPool(
            "Pricing",
            limits,
            new DaemonThreads("Pricing", time, time),
            time,
            time,
            new LaterAid());
    WorkerQueue queue = new WorkerQueue(limits);
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < BEFORE + MORE; i++) {
      workers.add(new Worker(pool, time, time));
    }
    int joined = 0;
    while (joined < BEFORE) {
      queue.join(workers.get(joined++));
    }
    takeAllMemory();
    reserve = null;
    boolean isOut = false;
    try {
      while (joined < BEFORE + MORE) {
        queue.join(workers.get(joined));
        joined++;
      }
    } catch (OutOfMemoryError e) {
      isOut = true;
    }
    int threads = queue.threads();
    int active = queue.active();
    ballast = null;
    System.out.println(joined + " joined, " + threads + " are there, " + active + " at work");
    if (!isOut || threads != joined || active != 0) {
      System.exit(1);
    }
    System.out.println(ChildJvm.WELL);
  }

  private static void takeAllMemory() {
    Object[] chain = null;
    int size = 1 << 20;
    while (size > 0) {
      try {
        chain = new Object[] {chain, new byte[size]};
        ballast = chain;
      } catch (OutOfMemoryError e) {
        size /= 4;
      }
    }
  }
}
