// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * How long a word takes from one processor to the other and back, before and after each iteration:
 * the longer of the two.
 *
 * <p>A virtual machine's processors are moved about by its host. Two that share a cache exchange a
 * word in some 45 ns, two that do not in some 370, and for seconds at a time they are one or the
 * other. Whatever passes between threads takes half as long again then, so iterations are only to
 * be compared with others at the same distance.
 */
public final class ProcessorDistance implements InternalProfiler {

  /**
   * Where there are more than two, the scheduler says which two are measured, and any are used. (A
   * limit of two on a machine that has more looks like two, and should be set for two of them.)
   */
  static final boolean IS_DEFINED = Runtime.getRuntime().availableProcessors() == 2;

  /** What JMH writes it under. */
  static final String NAME = "processor.distance";

  // each round is far shorter than the scheduler's turns, so that some are undisturbed
  static final int ROUNDS = 20;
  static final int TRIPS = 1_000;
  private static final int ANSWER = 0;
  private static final int CALL = 1;
  private static final int END = 2;

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(ProcessorDistance.class, "word", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // written by both threads in turn, each waiting for the other's value
  private int word;

  private double before;

  // how often the other thread answered: it writes, and is joined before it is read
  int answers;

  @Override
  public String getDescription() {
    return "Time of a word from one processor to another and back";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = measure();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double longer = Math.max(before, measure());
    return List.of(new ScalarResult(NAME, longer, "ns", AggregationPolicy.AVG));
  }

  /** The shortest of several rounds: what disturbs one makes it longer. */
  double measure() {
    WORD.setVolatile(this, ANSWER);
    Thread other = new Thread(this::answer, "processor-distance");
    other.setDaemon(true);
    other.start();
    double shortest = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (int trip = 0; trip < TRIPS; trip++) {
        WORD.setOpaque(this, CALL);
        while ((int) WORD.getOpaque(this) != ANSWER) {
          // the other's turn
        }
      }
      shortest = Math.min(shortest, (double) (System.nanoTime() - start) / TRIPS);
    }
    WORD.setOpaque(this, END);
    try {
      other.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return shortest;
  }

  private void answer() {
    int seen;
    while ((seen = (int) WORD.getOpaque(this)) != END) {
      if (seen == CALL) {
        // END is only written after the last answer came, so this cannot overwrite it
        WORD.setOpaque(this, ANSWER);
        answers++;
      }
    }
  }
}
