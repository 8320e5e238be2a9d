// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What ties a program to the one that started it as a {@link ChildProcess}: it says one line when
 * it is ready, is asked on its standard input, line by line, answers on its standard output, and
 * ends when its input does, so that it does not outlive the other.
 */
public final class Lifeline {

  static final String READY = "ready: ";
  static final String REPORT = "report: ";
  static final String WRONG = "wrong: ";

  private static final int FAILED = 2;
  private static final long PATIENCE_MILLIS = 20_000;

  /** Standard output as it was, for the other program alone. */
  private static final PrintStream OUT = System.out;

  /** What is done with a line. */
  @FunctionalInterface
  public interface Verb {

    /**
     * Does it.
     *
     * @param rest of the line, after the verb
     * @return what there is to report, by name; null to say nothing now, but later by {@link
     *     #report}
     * @throws Exception what was wrong with it: reported in place of an answer
     */
    @Nullable Map<String, ?> answer(String rest) throws Exception;
  }

  /**
   * What has been started.
   *
   * @param ready what is said of it, such as where it listens
   * @param verbs by the first word of a line
   * @param service to be closed at the end
   */
  public record Service(String ready, Map<String, Verb> verbs, AutoCloseable service) {}

  /** Starts it. */
  @FunctionalInterface
  public interface Start {

    /** Starts it; what it throws is the reason why it could not. */
    Service start() throws Exception;
  }

  private Lifeline() {}

  /**
   * Runs a program until its input ends, and ends the JVM. To be called on the main thread. What
   * others print goes where errors go.
   *
   * @param name for its errors
   */
  public static void run(String name, Start start) {
    System.setOut(System.err);
    Thread main = Thread.currentThread();
    // Ctrl-C reaches all of a terminal's programs at once, and the one that began this one still
    // wants its last answers. It closes this one's input when it is done.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> await(main)));
    try {
      Service started = start.start();
      try (AutoCloseable service = started.service()) {
        say(READY + started.ready());
        serve(started.verbs());
      }
    } catch (Exception wrong) {
      String message = wrong.getMessage();
      System.err.println(name + ": " + (message == null ? wrong : message));
      Runtime.getRuntime().halt(FAILED);
    } catch (Error worse) {
      System.err.println(name + ": " + worse);
      Runtime.getRuntime().halt(FAILED);
    }
    // whatever of it may hang
    Runtime.getRuntime().halt(0);
  }

  private static void serve(Map<String, Verb> verbs) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 2);
      Verb verb = verbs.get(words[0]);
      if (verb == null) {
        say(WRONG + "no verb " + words[0] + ", expected one of " + verbs.keySet());
        continue;
      }
      try {
        Map<String, ?> answer = verb.answer(words.length > 1 ? words[1] : "");
        if (answer != null) {
          report(answer);
        }
      } catch (Exception failed) {
        say(WRONG + failed.toString().replaceAll("\\R", " "));
      }
    }
  }

  /** Reports to the other program. Thread-safe. */
  public static void report(Map<String, ?> figures) {
    say(REPORT + Pairs.text(figures));
  }

  private static void say(String line) {
    synchronized (OUT) {
      OUT.println(line);
      OUT.flush();
    }
  }

  private static void await(Thread main) {
    try {
      main.join(PATIENCE_MILLIS);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
