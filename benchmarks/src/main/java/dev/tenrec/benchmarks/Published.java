// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.console.Console;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.stream.HystrixStream;
import dev.tenrec.hystrix.stream.StreamKind;
import dev.tenrec.micrometer.TenrecMetrics;
import dev.tenrec.opentelemetry.TenrecHistograms;
import dev.tenrec.opentelemetry.TenrecMeters;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.reactivex.rxjava3.disposables.Disposable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
 * compared by forks that alternate.
 *
 * <p>All of this wants a processor besides the caller's. Where there is none to spare, a call waits
 * for its turn; so each fork prints as well what the caller's own thread took for a call, of the
 * processor and of memory.
 *
 * <p>{@link #tenrec} has the JVM's flight recorder present and not started; {@link
 * #tenrecWithoutFlightRecorder} does without its module.
 */
public class Published extends InNanoseconds {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // JMH calls start before all else
  public static class OnTenrec {
    @Param({"off", "on"})
    public String publishers;

    @Param("1000")
    public int keys;

    private final Fallbacks.Forbidden fallback = new Fallbacks.Forbidden();
    private final AtomicLong scraped = new AtomicLong();
    private final AtomicLong exported = new AtomicLong();
    private final AtomicLong streamed = new AtomicLong();
    private final AtomicLong shown = new AtomicLong();
    private final List<AutoCloseable> open = new ArrayList<>();
    Command<String, String> command;

    @Setup
    public void start() throws Exception {
      Tenrec tenrec = Tenrec.create();
      open.add(tenrec);
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
      if (publishers.equals("on")) {
        publish(tenrec);
        // what is measured begins when each stream has had all commands, not only its first ping
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < end && (shown.get() < keys || streamed.get() < keys)) {
          Thread.sleep(10);
        }
      }
    }

    private void publish(Tenrec tenrec) throws IOException {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      TenrecMetrics metrics = TenrecMetrics.of(tenrec);
      metrics.bindTo(registry);
      open.add(metrics);
      scraped.addAndGet(registry.scrape().length());
      ScheduledExecutorService scraper = Executors.newSingleThreadScheduledExecutor();
      open.add(scraper::shutdownNow);
      var unused =
          scraper.scheduleAtFixedRate(
              () -> scraped.addAndGet(registry.scrape().length()), 1, 1, TimeUnit.SECONDS);

      SdkMeterProvider provider =
          SdkMeterProvider.builder()
              .registerMetricReader(
                  PeriodicMetricReader.builder(new Exported(exported))
                      .setInterval(Duration.ofSeconds(1))
                      .build(),
                  instrument -> 20 * keys)
              .registerMetricProducer(TenrecHistograms.of(tenrec))
              .build();
      open.add(provider);
      open.add(
          TenrecMeters.register(
              tenrec, OpenTelemetrySdk.builder().setMeterProvider(provider).build()));

      HystrixStream stream = HystrixStream.of(tenrec);
      open.add(stream);
      Disposable reading =
          stream
              .open(StreamKind.DASHBOARD)
              .orElseThrow()
              .subscribe(part -> streamed.addAndGet(part.length));
      open.add(reading::dispose);

      Console console = Console.start(tenrec, 0);
      open.add(console);
      InputStream page = console.uri().resolve("stream").toURL().openStream();
      Thread reader = new Thread(() -> read(page), "page");
      reader.setDaemon(true);
      reader.start();
    }

    /** Until the console closes. */
    private void read(InputStream page) {
      byte[] some = new byte[16_384];
      try (page) {
        for (int read = page.read(some); read >= 0; read = page.read(some)) {
          shown.addAndGet(read);
        }
      } catch (IOException ended) {
        // by the console
      }
    }

    private void all(AtomicLong published, String where) {
      if (published.get() < keys) {
        throw new IllegalStateException("nothing of " + keys + " commands in " + where);
      }
    }

    @TearDown(Level.Trial)
    public void end() throws Exception {
      fallback.check();
      if (publishers.equals("on")) {
        all(scraped, "the scrapes");
        all(streamed, "hystrix.stream");
        all(shown, "the page's stream");
      }
      for (int i = open.size() - 1; i >= 0; i--) {
        open.get(i).close();
      }
      if (publishers.equals("on")) { // closing has it collected a last time
        all(exported, "the metrics of OpenTelemetry");
      }
    }
  }

  /** What the caller's thread itself takes for a call, which publishers' threads are no part of. */
  @State(Scope.Thread)
  public static class Caller {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    long calls;
    private long cpuNanos;
    private long bytes;
    private final List<Double> nanosPerCall = new ArrayList<>();
    private final List<Double> bytesPerCall = new ArrayList<>();

    @Setup(Level.Iteration)
    public void begin() {
      calls = 0;
      bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
      cpuNanos = THREADS.getCurrentThreadCpuTime();
    }

    @TearDown(Level.Iteration)
    public void end() {
      nanosPerCall.add((double) (THREADS.getCurrentThreadCpuTime() - cpuNanos) / calls);
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
          "the caller's thread, a call: %s ns of processor, %s B%n",
          shown(nanosPerCall.subList(warm, nanosPerCall.size())),
          shown(bytesPerCall.subList(warm, bytesPerCall.size())));
    }

    private static String shown(List<Double> figures) {
      return figures.stream()
          .map(each -> String.format(Locale.ROOT, "%.2f", each))
          .collect(Collectors.joining(" "));
    }
  }

  /** Takes what OpenTelemetry collects, as one that sends it would, and counts the points. */
  private record Exported(AtomicLong points) implements MetricExporter {

    @Override
    public CompletableResultCode export(Collection<MetricData> metrics) {
      metrics.forEach(metric -> points.addAndGet(metric.getData().getPoints().size()));
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType instrument) {
      return AggregationTemporality.CUMULATIVE;
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
