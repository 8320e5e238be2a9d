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
  private final int port;

  /** Written by the listening thread, read by all. */
  private final List<Sample> samples = new CopyOnWriteArrayList<>();

  private Listener(String name, Process process, BufferedReader out, int port) {
    this.name = name;
    this.process = process;
    this.out = out;
    this.port = port;
  }

  /**
   * Starts one. Returns when it listens.
   *
   * @param name for errors
   * @throws IOException if it does not start; it has said why on standard error
   */
  public static Listener start(
      String name, int heapMegabytes, Class<?> main, List<String> arguments) throws IOException {
    Process process = ChildJvm.start(heapMegabytes, main, arguments);
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    if (line == null || !line.startsWith(Teller.LISTENS)) {
      process.destroy();
      throw new IOException("the " + name + " did not start; it said why on standard error");
    }
    int port = Integer.parseInt(line.substring(Teller.LISTENS.length()));
    Listener listener = new Listener(name, process, out, port);
    Thread listening = new Thread(listener::listen, "listening-to-" + name);
    listening.setDaemon(true);
    listening.start();
    return listener;
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

  /**
   * It runs.
   *
   * @throws IOException if it has died
   */
  public void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException("the " + name + " died with exit code " + process.exitValue());
    }
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
