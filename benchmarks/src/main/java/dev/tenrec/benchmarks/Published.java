// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.stream.HystrixStream;
import dev.tenrec.hystrix.stream.StreamKind;
import dev.tenrec.micrometer.TenrecMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A call that succeeds on its caller's thread, while all commands are scraped every second and a
 * client reads their stream; and while they are not. To be compared by forks that alternate.
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
    private final AtomicLong published = new AtomicLong();
    private final List<AutoCloseable> open = new ArrayList<>();
    Command<String, String> command;

    @Setup
    public void start() {
      Tenrec tenrec = Tenrec.create();
      open.add(tenrec);
      for (int i = 0; i < keys; i++) {
        command =
            tenrec
                .command("Command" + i, ProtectedCall::answer)
                .isolation(Isolation.semaphore(Rules.usual().maxConcurrent()))
                .fallback((asked, cause) -> fallback.apply(cause))
                .build();
        String answered = command.execute(question); // or there is little to publish of it
        published.addAndGet(answered.length());
      }
      if (publishers.equals("on")) {
        published.set(0);
        publish(tenrec);
      }
    }

    private void publish(Tenrec tenrec) {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      TenrecMetrics metrics = TenrecMetrics.of(tenrec);
      metrics.bindTo(registry);
      open.add(metrics);
      HystrixStream stream = HystrixStream.of(tenrec);
      Disposable reading =
          stream
              .open(StreamKind.DASHBOARD)
              .orElseThrow()
              .subscribe(part -> published.addAndGet(part.length));
      open.add(reading::dispose);
      open.add(stream);
      published.addAndGet(registry.scrape().length());
      ScheduledExecutorService scraper = Executors.newSingleThreadScheduledExecutor();
      var unused =
          scraper.scheduleAtFixedRate(
              () -> published.addAndGet(registry.scrape().length()), 1, 1, TimeUnit.SECONDS);
      open.add(scraper::shutdownNow);
    }

    @TearDown(Level.Trial)
    public void end() throws Exception {
      fallback.check();
      if (published.get() < keys) {
        throw new IllegalStateException("nothing was published: " + published);
      }
      for (int i = open.size() - 1; i >= 0; i--) {
        open.get(i).close();
      }
    }
  }

  @Benchmark
  public String tenrec(OnTenrec on) {
    return on.command.execute(question);
  }
}
