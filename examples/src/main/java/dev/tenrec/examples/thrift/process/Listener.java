// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.thrift.process;

import dev.tenrec.examples.load.ChildJvm;
import dev.tenrec.metrics.time.Ticker;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A JVM with a {@link Teller}, seen from the one that started it. */
public final class Listener implements AutoCloseable {

  private static final Ticker TICKER = Ticker.system();
  private static final long PATIENCE_SECONDS = 6;

  private final String name;
  private final Process process;
  private final BufferedReader out;

  /** Written by whoever waits for it, before others have this. */
  private int port;

  /** Written by the listening thread, read by all. */
  private final List<Sample> samples = new CopyOnWriteArrayList<>();

  private Listener(String name, Process process, BufferedReader out) {
    this.name = name;
    this.process = process;
    this.out = out;
  }

  /**
   * Starts one, and does not wait: several may start at the same time.
   *
   * @param name for errors
   */
  public static Listener start(
      String name, int heapMegabytes, Class<?> main, List<String> arguments) throws IOException {
    Process process = ChildJvm.start(heapMegabytes, main, arguments);
    return new Listener(name, process, process.inputReader());
  }

  /**
   * Waits until it listens.
   *
   * @throws IOException if it does not; it has said why on standard error
   */
  public void awaitListening() throws IOException {
    String line = out.readLine();
    if (line == null || !line.startsWith(Teller.LISTENS)) {
      throw new IOException("the " + name + " did not start; it said why on standard error");
    }
    port = Integer.parseInt(line.substring(Teller.LISTENS.length()));
    Thread listening = new Thread(this::listen, "listening-to-" + name);
    listening.setDaemon(true);
    listening.start();
  }

  private void listen() {
    try {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        samples.add(new Sample(TICKER.nanoTime(), gauges(line)));
      }
    } catch (IOException | IllegalArgumentException broken) {
      // it has ended in the midst of a line, which isAlive() tells
    }
  }

  private static Map<String, Long> gauges(String line) {
    Map<String, Long> gauges = new HashMap<>();
    for (String word : line.split(" ", -1)) {
      String[] gauge = word.split("=", 2);
      gauges.put(gauge[0], Long.valueOf(gauge[1]));
    }
    return gauges;
  }

  /** Where it listens. */
  public int port() {
    return port;
  }

  /** What it has told so far. */
  public List<Sample> samples() {
    return List.copyOf(samples);
  }

  /** What it told last; empty before that. */
  public Sample last() {
    List<Sample> told = samples();
    return told.isEmpty() ? new Sample(TICKER.nanoTime(), Map.of()) : told.get(told.size() - 1);
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException impatient) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
