// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.endpoint.child;

import dev.tenrec.examples.load.ChildJvm;
import dev.tenrec.examples.shared.RunClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program with a {@link Console}, seen from the one that started it. Used by one thread. */
public final class Child implements AutoCloseable {

  private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();
  private static final long LOOK_NANOS = Duration.ofNanos(200_000).toNanos();
  private static final int END_SECONDS = 8;

  private final String name;
  private final Process process;
  private final BufferedReader in;
  private final PrintStream out;
  private final RunClock clock = new RunClock();
  private @Nullable URI uri;

  private Child(String name, Process process) {
    this.name = name;
    this.process = process;
    this.in = process.inputReader(StandardCharsets.UTF_8);
    this.out = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  /**
   * Starts one, and does not wait for it.
   *
   * @param name for messages
   * @param main takes a console
   */
  public static Child start(String name, int heapMegabytes, Class<?> main, List<String> arguments)
      throws IOException {
    return new Child(name, ChildJvm.start(heapMegabytes, main, arguments));
  }

  /**
   * Where it listens; waits until it does.
   *
   * @throws IOException if it does not start; it has said why on standard error
   */
  public URI uri() throws IOException, InterruptedException {
    URI known = uri;
    if (known == null) {
      String line = read();
      if (line == null || !line.startsWith(Console.LISTENS)) {
        throw new IOException("the " + name + " did not start; it said why on standard error");
      }
      known = URI.create(line.substring(Console.LISTENS.length()));
      uri = known;
    }
    return known;
  }

  /** Asks, and waits for the answer. */
  public Map<String, Long> ask(String line) throws IOException, InterruptedException {
    URI unused = uri();
    out.println(line);
    String answer = read();
    if (answer == null || answer.startsWith(Console.WRONG)) {
      throw new IOException("the " + name + " was asked '" + line + "' and told: " + answer);
    }
    Map<String, Long> told = new TreeMap<>();
    for (String word : answer.isEmpty() ? new String[0] : answer.split(" ", -1)) {
      String[] pair = word.split("=", 2);
      told.put(pair[0], Long.valueOf(pair[1]));
    }
    return told;
  }

  /** The time of processors it has used. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The next line; null if there is none for it has ended. */
  private @Nullable String read() throws IOException, InterruptedException {
    long beganNanos = clock.nanos();
    while (!in.ready() && process.isAlive()) {
      if (clock.nanos() - beganNanos > PATIENCE_NANOS) {
        process.destroyForcibly();
        throw new IOException("the " + name + " hung for a minute and was ended by force");
      }
      clock.awaitNanos(clock.nanos() + LOOK_NANOS);
    }
    return in.readLine();
  }

  /** Ends it: by its input, and if it does not, by force. */
  @Override
  public void close() {
    out.close();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException impatient) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
