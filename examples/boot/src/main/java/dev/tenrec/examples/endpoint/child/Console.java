// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.endpoint.child;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a program answers to the one that started it: a line for a line, until there are no more. By
 * a way of its own, for the way of the load may be full.
 */
public final class Console {

  static final String LISTENS = "listens at ";
  static final String WRONG = "wrong: ";

  private static final long PATIENCE_MILLIS = 20_000;

  private final PrintStream out;

  private Console(PrintStream out) {
    this.out = out;
  }

  /** What is done with a line. */
  public interface Verb {

    /**
     * Does it.
     *
     * @param rest of the line, after the verb
     * @return what there is to tell, by name
     */
    Map<String, Long> answer(String rest);
  }

  /**
   * Takes standard output; what others print there goes where errors go. Ctrl-C, which reaches all
   * of a terminal's programs at once, does not end this one before its input does: the one that
   * started it wants the last answers.
   */
  public static Console take() {
    Console console = new Console(System.out);
    System.setOut(System.err);
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> await(main)));
    return console;
  }

  /** Serves, until the input ends. */
  public void serve(URI listens, Map<String, Verb> verbs) throws IOException {
    say(LISTENS + listens);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 2);
      Verb verb = verbs.get(words[0]);
      try {
        say(
            verb == null
                ? WRONG + "no verb " + words[0] + ", expected one of " + verbs.keySet()
                : text(verb.answer(words.length > 1 ? words[1] : "")));
      } catch (RuntimeException failed) {
        say(WRONG + failed);
      }
    }
  }

  private static String text(Map<String, Long> told) {
    return told.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }

  private static void await(Thread main) {
    try {
      main.join(PATIENCE_MILLIS);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
