// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.console.Console;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Publishers of one Tenrec, each as an operator would have it, and each used before what is
 * measured begins: one that reads once a second would be compiled for minutes.
 */
final class Publishing implements AutoCloseable {

  private static final int MOST_READINGS_BEFORE = 60;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final Duration BEFORE = Duration.ofMillis(10);
  private static final Duration USUAL = Duration.ofMillis(500);

  private final Tenrec tenrec;
  private final int keys;
  private final int readingsBefore;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Published> published = new ArrayList<>();

  /** How much of it went where; each has to have had something of each command. */
  private record Published(String where, AtomicLong amount) {}

  Publishing(Tenrec tenrec, int keys) {
    this.tenrec = tenrec;
    this.keys = keys;
    this.readingsBefore = Math.min(keys, MOST_READINGS_BEFORE);
  }

  /** Begins with those of this name. */
  void begin(String publishers) throws Exception {
    boolean all = publishers.equals("on");
    if (all || publishers.equals("prometheus")) {
      prometheus();
    }
    if (all || publishers.equals("opentelemetry")) {
      openTelemetry();
    }
    if (all || publishers.equals("hystrix")) {
      hystrixStream(BEFORE).close();
      open.add(hystrixStream(USUAL));
    }
    if (all || publishers.equals("page")) {
      page(BEFORE).close();
      open.add(page(USUAL));
    }
    if (publishers.startsWith("burned")) {
      burn(TimeUnit.MILLISECONDS.toNanos(Integer.parseInt(publishers.substring(6))));
    }
  }

  /** A scrape each second. */
  private void prometheus() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    TenrecMetrics metrics = TenrecMetrics.of(tenrec);
    metrics.bindTo(registry);
    open.add(metrics);
    AtomicLong scraped = amount("the scrapes");
    for (int i = 0; i < readingsBefore; i++) {
      scraped.addAndGet(scrape(registry));
    }
    eachSecond(() -> scraped.addAndGet(scrape(registry)));
  }

  /** Into memory, as Boot's endpoint does. */
  private static int scrape(PrometheusMeterRegistry registry) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 23);
    try {
      registry.scrape(out, "text/plain; version=0.0.4; charset=utf-8");
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return out.size();
  }

  private void eachSecond(Runnable task) {
    ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    open.add(executor::shutdownNow);
    var unused = executor.scheduleAtFixedRate(task, 1, 1, TimeUnit.SECONDS);
  }

  /** A collection each second. */
  private void openTelemetry() {
    AtomicLong exported = amount("the metrics of OpenTelemetry");
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
    for (int i = 0; i < readingsBefore; i++) {
      var unused = provider.forceFlush();
    }
  }

  /** With one client, that has had some readings. */
  private AutoCloseable hystrixStream(Duration interval) throws InterruptedException {
    AtomicLong streamed = amount("hystrix.stream");
    HystrixStream stream = HystrixStream.builder(tenrec).interval(interval).build();
    Disposable reading =
        stream
            .open(StreamKind.DASHBOARD)
            .orElseThrow()
            .subscribe(part -> streamed.addAndGet(part.length));
    awaitReadings(interval);
    awaitAll(streamed);
    return () -> {
      reading.dispose();
      stream.close();
    };
  }

  /** With one client, that has had all commands. */
  private AutoCloseable page(Duration interval) throws Exception {
    AtomicLong shown = amount("the page's stream");
    Console console = Console.builder(tenrec).interval(interval).start();
    InputStream page = console.uri().resolve("stream").toURL().openStream();
    Thread reader = new Thread(() -> read(page, shown), "page");
    reader.setDaemon(true);
    reader.start();
    awaitReadings(interval);
    awaitAll(shown);
    return console;
  }

  /** Until the console closes. */
  private static void read(InputStream page, AtomicLong shown) {
    byte[] some = new byte[16_384];
    try (page) {
      for (int read = page.read(some); read >= 0; read = page.read(some)) {
        shown.addAndGet(read);
      }
    } catch (IOException ended) {
      // by the console
    }
  }

  /** Those before the measured ones. */
  private void awaitReadings(Duration interval) throws InterruptedException {
    if (interval.equals(BEFORE)) {
      Thread.sleep(2L * readingsBefore * BEFORE.toMillis());
    }
  }

  /** Not only a first ping. */
  private void awaitAll(AtomicLong amount) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - end < 0 && amount.get() < keys) {
      Thread.sleep(10);
    }
  }

  /** Uses the processor as publishers do, and touches nothing: what the machine makes of that. */
  private void burn(long nanosEachSecond) {
    eachSecond(
        () -> {
          long end = System.nanoTime() + nanosEachSecond;
          while (System.nanoTime() - end < 0) {
            // no pause: a publisher makes none
          }
        });
  }

  private AtomicLong amount(String where) {
    AtomicLong amount = new AtomicLong();
    published.add(new Published(where, amount));
    return amount;
  }

  /** Ends, and checks that there was something. */
  @Override
  public void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    for (Published each : published) { // closing has OpenTelemetry collect a last time
      if (each.amount().get() < keys) {
        throw new IllegalStateException("nothing of " + keys + " commands in " + each.where());
      }
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
}
