// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Weighs one library's commands by what the heap holds more of after a collection. What all
 * commands share (engine, registry, classes, the lambdas of work and fallback) is there before, and
 * left out; what they hold of each other's keys is in.
 */
public final class Weighing {

  /** Long enough for each bucket of a window of 10 s to be used. */
  private static final int SLICES = 120;

  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int THREADS = 8;

  private final Supplier<Population> make;
  private final Scope scope;

  /**
   * How much.
   *
   * @param idle how many are weighed that are never called, and how many have their threads counted
   * @param commands how many are weighed that are
   * @param calls how often each is called from one thread; a fifth of it by each of 8 threads
   * @param inFlight calls that wait
   * @param slices in how many slices of 100 ms the calls are made
   */
  public record Scope(int idle, int commands, int calls, int inFlight, int slices) {

    /** What is published. */
    public static final Scope FULL = new Scope(1_000, 100, 10_000, 2_000, SLICES);

    /** To be done before, so that classes and whatever else is made once are there. */
    public static final Scope DRY = new Scope(2, 2, 20, 2, 2);
  }

  public Weighing(Supplier<Population> make, Scope scope) {
    this.make = make;
    this.scope = scope;
  }

  /**
   * One figure. The published ones have a JVM each: what one weighing leaves behind and the
   * collector finds later would be taken off the next.
   */
  public double weigh(Figure figure) throws InterruptedException {
    return switch (figure) {
      case NEVER_CALLED -> neverCalled();
      case AFTER_10000_CALLS -> called(1, scope.calls());
      case BUSY_ON_8_THREADS -> called(THREADS, scope.calls() / 5);
      case PER_CALL_IN_FLIGHT -> inFlight();
      case THREADS_PER_1000_COMMANDS -> threads();
    };
  }

  private double neverCalled() {
    try (Population population = begun()) {
      long before = used();
      population.add(scope.idle());
      return (double) (used() - before) / scope.idle();
    }
  }

  private double called(int threads, int calls) throws InterruptedException {
    try (Population population = begun()) {
      long before = used();
      int first = population.size();
      population.add(scope.commands());
      inThreads(
          threads,
          slice -> {
            int until = calls * (slice + 1) / scope.slices();
            for (int command = first; command < population.size(); command++) {
              for (int call = calls * slice / scope.slices(); call < until; call++) {
                population.call(command);
              }
            }
          });
      return (double) (used() - before) / scope.commands();
    }
  }

  private double threads() {
    try (Population population = begun()) {
      int before = ManagementFactory.getThreadMXBean().getThreadCount();
      population.add(scope.idle());
      for (int i = 0; i < population.size(); i++) {
        population.call(i);
      }
      return Math.max(0, ManagementFactory.getThreadMXBean().getThreadCount() - before);
    }
  }

  /** Each thread does each slice, and rests until the next is due. */
  private void inThreads(int count, IntConsumer work) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread thread =
          new Thread(
              () -> {
                long begin = System.nanoTime();
                for (int slice = 0; slice < scope.slices(); slice++) {
                  work.accept(slice);
                  restUntil(begin + (slice + 1) * SLICE_NANOS);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void restUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private double inFlight() {
    try (Population population = begun()) {
      long before = used();
      Object started = population.start(scope.inFlight());
      double each = (double) (used() - before) / scope.inFlight();
      if (started == null) {
        throw new IllegalStateException("nothing was started");
      }
      return each;
    }
  }

  /** With whatever is shared there already. */
  private Population begun() {
    Population population = make.get();
    population.add(1);
    population.call(0);
    return population;
  }

  private static long used() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
