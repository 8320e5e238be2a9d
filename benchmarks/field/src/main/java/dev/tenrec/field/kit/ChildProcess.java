// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A program with a {@link Lifeline} in a JVM of its own, seen from the one that started it. It is
 * waited for with an end to it, and does not outlive this program, however that ends. One thread
 * asks; any may close it.
 */
public final class ChildProcess implements AutoCloseable {

  /** How long a program may take to start, on a crowded machine too. */
  public static final Duration START = Duration.ofSeconds(60);

  /** How many times as long as usual is waited for an answer or an end: in the build's tests. */
  private static final int PATIENCE = Integer.getInteger("tenrec.field.patience", 1);

  /** How long an answer may take; usually less than there is after Ctrl-C to report results. */
  public static final Duration ANSWER = Duration.ofSeconds(15).multipliedBy(PATIENCE);

  private static final Duration END = Duration.ofSeconds(5).multipliedBy(PATIENCE);

  private final String name;
  private final Process process;
  private final PrintStream in;
  private final ChildOutput output;

  /** Written by the thread that asks, read by the one that ends this program. */
  private volatile boolean ready;

  private ChildProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.output = new ChildOutput(name, process);
  }

  /**
   * Starts one of this class path, and does not wait: several may start at the same time.
   *
   * @param name for messages
   * @param heapMegabytes the size of its heap
   * @param options more of them for its JVM
   * @param main the class whose {@code main} it runs
   * @throws IOException if there cannot be another process, or if this program is ending
   */
  public static ChildProcess start(
      String name, int heapMegabytes, List<String> options, Class<?> main, List<String> arguments)
      throws IOException {
    Process process = ChildJvm.command(heapMegabytes, options, main, arguments).start();
    ChildProcess child = new ChildProcess(name, process);
    try {
      Children.add(child);
      return child;
    } catch (IOException ending) {
      child.kill();
      throw ending;
    }
  }

  /**
   * Waits until it is ready. If it does not become so, or the thread is interrupted, it is ended by
   * force.
   *
   * @return what it says then, such as where it listens
   * @throws IOException if it ends before, or takes longer; says what it printed last
   */
  public String awaitReady(Duration patience) throws IOException, InterruptedException {
    try {
      String line = output.next(patience);
      if (line == null) {
        throw ended("before it was ready");
      }
      if (!line.startsWith(Lifeline.READY)) {
        throw new IOException("the " + name + " was to say when it is ready, and said: " + line);
      }
      ready = true;
      return line.substring(Lifeline.READY.length());
    } catch (TimeoutException late) {
      throw hung("it was not ready", patience);
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  /** Says a line to it, and does not wait for an answer. */
  public void say(String line) {
    in.println(line);
  }

  /**
   * Its next report; null if that is nothing within this time.
   *
   * @throws IOException if it has ended, or reports that something was wrong
   */
  public @Nullable Map<String, String> nextReport(Duration patience)
      throws IOException, InterruptedException {
    try {
      String line = output.next(patience);
      if (line == null) {
        throw ended("before it was asked to");
      }
      if (!line.startsWith(Lifeline.REPORT)) {
        throw new IOException("the " + name + " said: " + line);
      }
      return Pairs.read(line.substring(Lifeline.REPORT.length()));
    } catch (TimeoutException nothing) {
      return null;
    }
  }

  /**
   * Asks, and waits for the answer. If there is none in time, it is ended by force.
   *
   * @param number what a word of the answer says
   * @throws IOException if it has ended, does not answer, or reports that something was wrong
   */
  public <N> Map<String, N> ask(String line, Duration patience, Function<String, N> number)
      throws IOException, InterruptedException {
    say(line);
    Map<String, String> answer = nextReport(patience);
    if (answer == null) {
      kill();
      throw hung("no answer to '" + line + "'", patience);
    }
    Map<String, N> figures = new TreeMap<>();
    answer.forEach((word, value) -> figures.put(word, number.apply(value)));
    return figures;
  }

  private IOException ended(String when) throws InterruptedException {
    output.awaitLastWords();
    String code =
        process.waitFor(END.toSeconds(), TimeUnit.SECONDS)
            ? " with exit code " + process.exitValue()
            : "";
    return new IOException(
        "the " + name + " ended" + code + " " + when + "; " + output.lastWords());
  }

  private IOException hung(String what, Duration patience) {
    return new IOException(
        "the "
            + name
            + " hung and was ended by force: "
            + what
            + " after "
            + patience.toMillis() / 1e3
            + " s; "
            + output.lastWords());
  }

  /** Has the caller break off where it has ended, though nobody asked it just now. */
  public void requireAlive() throws IOException, InterruptedException {
    if (!isAlive()) {
      throw ended("before it was asked to");
    }
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  boolean isReady() {
    return ready;
  }

  /** Of the process. */
  public long pid() {
    return process.pid();
  }

  /** The time of processors it has used. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Of the process, which has ended; -1 if it has not. */
  public int exitCode() {
    return isAlive() ? -1 : process.exitValue();
  }

  /** Asks it to end, and does not wait. */
  public void stop() {
    in.close();
  }

  void kill() {
    Process unused = process.destroyForcibly();
  }

  /** Ends it: one that is ready by its input's end, and if it does not, by force. */
  @Override
  public void close() {
    stop();
    try {
      if (!ready || !process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
        kill();
        boolean unused = process.waitFor(END.toSeconds(), TimeUnit.SECONDS);
      }
      output.awaitLastWords();
    } catch (InterruptedException impatient) {
      kill();
      Thread.currentThread().interrupt();
    }
    Children.remove(this);
  }
}
