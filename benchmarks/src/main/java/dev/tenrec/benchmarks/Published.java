// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A call that succeeds on its caller's thread, while all commands are published; and while they are
 * not. Published means: scraped for Prometheus every second, collected for OpenTelemetry every
 * second, and read by a client of {@code hystrix.stream} and one of the console's stream. To be
 * compared by forks that alternate. Besides {@code off} and {@code on}, {@code -p publishers=}
 * takes {@code prometheus}, {@code opentelemetry}, {@code hystrix}, {@code page}, and {@code
 * burned80} for a thread that uses the processor for 80 ms a second and does nothing with it.
 *
 * <p>All of this wants a processor besides the caller's. Where there is none to spare, a call waits
 * for its turn; so each fork prints as well what the caller's own thread took for a call, of the
 * processor and of memory, and what all other threads took a second.
 *
 * <p>{@link #tenrec} has the JVM's flight recorder present and not started; {@link
 * #tenrecWithoutFlightRecorder} does without its module.
 */
public class Published extends InNanoseconds {

  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // JMH calls start before all else
  public static class OnTenrec {
    @Param({"off", "on"})
    public String publishers;

    @Param("1000")
    public int keys;

    private final Fallbacks.Forbidden fallback = new Fallbacks.Forbidden();
    private Tenrec tenrec;
    private Publishing publishing;
    Command<String, String> command;

    @Setup
    public void start() throws Exception {
      tenrec = Tenrec.create();
      for (int i = 0; i < keys; i++) {
        command =
            tenrec
                .command("Command" + i, ProtectedCall::answer)
                .isolation(Isolation.semaphore(Rules.usual().maxConcurrent()))
                .fallback((asked, cause) -> fallback.apply(cause))
                .build();
        if (command.execute(question).isEmpty()) { // or there is little to publish of it
          throw new IllegalStateException(command.key() + " has no answer");
        }
      }
      publishing = new Publishing(tenrec, keys);
      publishing.begin(publishers);
    }

    @TearDown(Level.Trial)
    public void end() throws Exception {
      fallback.check();
      publishing.close();
      tenrec.close();
    }
  }

  /** What the caller's thread itself takes for a call, which publishers' threads are no part of. */
  @State(Scope.Thread)
  public static class Caller {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    long calls;
    private long cpuNanos;
    private long bytes;
    private long processNanos;
    private long nanos;
    private final List<Double> othersMillis = new ArrayList<>();
    private final List<Double> nanosPerCall = new ArrayList<>();
    private final List<Double> bytesPerCall = new ArrayList<>();

    @Setup(Level.Iteration)
    public void begin() {
      calls = 0;
      bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
      nanos = System.nanoTime();
      processNanos = PROCESS.getProcessCpuTime();
      cpuNanos = THREADS.getCurrentThreadCpuTime();
    }

    @TearDown(Level.Iteration)
    public void end() {
      long own = THREADS.getCurrentThreadCpuTime() - cpuNanos;
      long all = PROCESS.getProcessCpuTime() - processNanos;
      nanosPerCall.add((double) own / calls);
      othersMillis.add(1e3 * (all - own) / (System.nanoTime() - nanos));
      bytesPerCall.add(
          (double) (THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - bytes)
              / calls);
    }

    /** Of the later iterations, in the order they were made. */
    @TearDown(Level.Trial)
    public void print() {
      int warm = nanosPerCall.size() / 2;
      System.out.printf(
          Locale.ROOT,
          "the caller's thread, a call: %s ns of processor, %s B; all others, a second: %s ms of"
              + " processor%n",
          shown(nanosPerCall.subList(warm, nanosPerCall.size())),
          shown(bytesPerCall.subList(warm, bytesPerCall.size())),
          shown(othersMillis.subList(warm, othersMillis.size())));
    }

    private static String shown(List<Double> figures) {
      return figures.stream()
          .map(each -> String.format(Locale.ROOT, "%.2f", each))
          .collect(Collectors.joining(" "));
    }
  }

  /** The JVM has a flight recorder, which is off. */
  @Benchmark
  public String tenrec(OnTenrec on, Caller caller) {
    caller.calls++;
    return on.command.execute(question);
  }

  /** The JVM has none. */
  @Benchmark
  @Fork(
      jvmArgsAppend =
          "--limit-modules=java.se,jdk.unsupported,jdk.management,jdk.httpserver,jdk.net")
  public String tenrecWithoutFlightRecorder(OnTenrec on, Caller caller) {
    caller.calls++;
    return on.command.execute(question);
  }
}
