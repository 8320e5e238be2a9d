// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.provider.service;

import dev.tenrec.examples.load.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The provider or the store, seen from the one that started it. Not thread-safe. */
public final class ChildProcess implements AutoCloseable {

  private static final int HEAP_MEGABYTES = 512;
  private static final int PATIENCE_SECONDS = 5;

  private final String name;
  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter questions;
  private final URI uri;

  private ChildProcess(String name, Process process, BufferedReader answers, URI uri) {
    this.name = name;
    this.process = process;
    this.answers = answers;
    this.questions = new PrintWriter(process.outputWriter());
    this.uri = uri;
  }

  /** Starts a store. */
  public static ChildProcess store() throws IOException {
    return start("store", StoreMain.class, List.of());
  }

  /**
   * Starts a provider.
   *
   * @param port where, or 0 for a free one
   * @param callers how many call at once
   */
  public static ChildProcess provider(int port, URI store, int callers) throws IOException {
    return start(
        "provider",
        ProviderMain.class,
        List.of(Integer.toString(port), store.toString(), Integer.toString(callers)));
  }

  private static ChildProcess start(String name, Class<?> main, List<String> arguments)
      throws IOException {
    Process process = ChildJvm.start(HEAP_MEGABYTES, main, arguments);
    BufferedReader answers = process.inputReader();
    String line = answers.readLine();
    if (line == null || !line.startsWith(Lifeline.LISTENS)) {
      process.destroy();
      throw new IOException("the " + name + " did not start; it said why on standard error");
    }
    URI uri = URI.create(line.substring(Lifeline.LISTENS.length()));
    return new ChildProcess(name, process, answers, uri);
  }

  /** Where it listens. */
  public URI uri() {
    return uri;
  }

  /** Of the process. */
  public long pid() {
    return process.pid();
  }

  /** What it has counted. */
  public Map<String, Double> figures() throws IOException {
    Map<String, Double> figures = new TreeMap<>();
    Pairs.read(ask(ProviderMain.FIGURES))
        .forEach((name, value) -> figures.put(name, Double.valueOf(value)));
    return figures;
  }

  /** Has exactly these settings in force. */
  public void settings(Map<String, String> values) throws IOException {
    String unused = ask(ProviderMain.SETTINGS + " " + Pairs.text(values));
  }

  private String ask(String line) throws IOException {
    questions.println(line);
    questions.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the " + name + " has ended; it may have said why on standard error");
    }
    if (answer.startsWith(Lifeline.WRONG)) {
      throw new IOException("the " + name + " said: " + answer);
    }
    return answer;
  }

  /** Ends it: by its input's end, or by force. */
  @Override
  public void close() throws IOException {
    questions.close();
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
