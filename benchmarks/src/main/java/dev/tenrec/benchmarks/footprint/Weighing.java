// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final Map<String, Double> figures = new LinkedHashMap<>();

  /**
   * How much.
   *
   * @param commands how many are weighed
   * @param calls how often each is called from one thread; a fifth of it by each of 8 threads
   * @param inFlight calls that wait
   * @param slices in how many slices of 100 ms the calls are made
   */
  public record Scope(int commands, int calls, int inFlight, int slices) {

    /** What is published. */
    public static final Scope FULL = new Scope(100, 10_000, 2_000, SLICES);
  }

  public Weighing(Supplier<Population> make, Scope scope) {
    this.make = make;
    this.scope = scope;
  }

  /** All figures by what they tell, in bytes, but for {@code ThreadsPer1000Commands}. */
  public Map<String, Double> weigh() throws InterruptedException {
    figures.clear();
    neverCalled();
    called("After10000Calls", 1, scope.calls());
    called("BusyOn8Threads", THREADS, scope.calls() / 5);
    inFlight();
    return Map.copyOf(figures);
  }

  private void neverCalled() {
    try (Population population = begun()) {
      int threads = ManagementFactory.getThreadMXBean().getThreadCount();
      long before = used();
      population.add(1_000);
      figures.put("NeverCalled", (used() - before) / 1_000.0);
      for (int i = 0; i < population.size(); i++) {
        population.call(i);
      }
      int more = ManagementFactory.getThreadMXBean().getThreadCount() - threads;
      figures.put("ThreadsPer1000Commands", (double) Math.max(0, more));
    }
  }

  private void called(String name, int threads, int calls) throws InterruptedException {
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
      figures.put(name, (double) (used() - before) / scope.commands());
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

  private void inFlight() {
    try (Population population = begun()) {
      long before = used();
      Object started = population.start(scope.inFlight());
      figures.put("PerCallInFlight", (double) (used() - before) / scope.inFlight());
      if (started == null) {
        throw new IllegalStateException("nothing was started");
      }
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
