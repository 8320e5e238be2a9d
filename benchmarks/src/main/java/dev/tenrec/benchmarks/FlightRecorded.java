// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.state.AllReached;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A call that succeeds on its caller's thread, beside JDK Flight Recorder: without a recording;
 * with one that leaves calls out; with one of calls that take 20 ms; with one of every call. The
 * module is present in all of them: what it costs at all shows against {@link SemaphoreExecution},
 * run with {@code --limit-modules} without it.
 */
public class FlightRecorded extends InNanoseconds {

  /** The recording that runs meanwhile. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // JMH sets the parameter before all else
  public static class Recorder {
    private static final String CALL = "dev.tenrec.Call";

    @Param({"none", "off", "threshold", "all"})
    public String recording;

    private @Nullable Recording running;

    @Setup
    public void start() {
      if (recording.equals("none")) {
        return;
      }
      Recording starting = new Recording();
      switch (recording) {
        case "off" -> starting.disable(CALL);
        case "threshold" -> starting.enable(CALL).withThreshold(Duration.ofMillis(20));
        case "all" -> starting.enable(CALL).withoutThreshold();
        default ->
            throw new IllegalArgumentException(
                "recording: " + recording + ", expected none, off, threshold or all");
      }
      starting.setMaxSize(50_000_000);
      starting.start();
      running = starting;
    }

    @TearDown(Level.Trial)
    public void end() {
      Recording ending = running;
      if (ending != null) {
        ending.close();
      }
    }
  }

  public static class OnTenrec extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  @Benchmark
  public String tenrec(Recorder beside, OnTenrec on) {
    return on.contender.call(question);
  }
}
