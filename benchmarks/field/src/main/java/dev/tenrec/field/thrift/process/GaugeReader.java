// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.process;

import dev.tenrec.field.kit.ChildProcess;
import dev.tenrec.field.kit.RunClock;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A JVM with a {@link GaugeReporter}, seen from the one that started it, and asked again and again.
 */
public final class GaugeReader implements AutoCloseable {

  private static final Ticker TICKER = Ticker.system();
  private static final long GAP_NANOS = Duration.ofMillis(100).toNanos();

  /** Of one that has collapsed, which is what is to be seen. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String name;
  private final ChildProcess child;

  /** Written by the thread that waits for it, before others have this. */
  private int port;

  /** Written by the asking thread, read by all. */
  private final List<Sample> samples = new CopyOnWriteArrayList<>();

  private GaugeReader(String name, ChildProcess child) {
    this.name = name;
    this.child = child;
  }

  /**
   * Starts one, and does not wait: several may start at the same time.
   *
   * @param name for errors
   */
  public static GaugeReader start(
      String name, int heapMegabytes, Class<?> main, List<String> arguments) throws IOException {
    return new GaugeReader(
        name, ChildProcess.start(name, heapMegabytes, List.of(), main, arguments));
  }

  /**
   * Waits until it listens.
   *
   * @throws IOException if it does not; says why
   */
  public void awaitListening() throws IOException, InterruptedException {
    port = Integer.parseInt(child.awaitReady(ChildProcess.START));
    Thread asking = new Thread(this::ask, "asking-" + name);
    asking.setDaemon(true);
    asking.start();
  }

  private void ask() {
    RunClock clock = new RunClock();
    try {
      while (true) {
        Map<String, Long> gauges = child.ask(GaugeReporter.GAUGES, PATIENCE, Long::valueOf);
        samples.add(new Sample(TICKER.nanoTime(), gauges));
        clock.awaitNanos(clock.nanos() + GAP_NANOS);
      }
    } catch (IOException ended) {
      // which isAlive() shows
    } catch (InterruptedException unwanted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Where it listens. */
  public int port() {
    return port;
  }

  /** What it has reported so far. */
  public List<Sample> samples() {
    return List.copyOf(samples);
  }

  /** What it reported last; empty before that. */
  public Sample last() {
    List<Sample> all = samples();
    return all.isEmpty() ? new Sample(TICKER.nanoTime(), Map.of()) : all.get(all.size() - 1);
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return child.isAlive();
  }

  /**
   * Has the caller break off where it has ended.
   *
   * @throws IOException if it has; says how
   */
  public void requireAlive() throws IOException, InterruptedException {
    child.requireAlive();
  }

  /** Asks it to end, and does not wait. */
  public void stop() {
    child.stop();
  }

  @Override
  public void close() {
    child.close();
  }
}
