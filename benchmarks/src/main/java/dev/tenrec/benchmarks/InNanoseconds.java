// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** How all benchmarks are measured unless the command line says otherwise. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class InNanoseconds {

  /** What is asked; a field, or the compiler would know it. */
  protected static String question = "question";

  /** For benchmarks only. */
  protected InNanoseconds() {}
}
