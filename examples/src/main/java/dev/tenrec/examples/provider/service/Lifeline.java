// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.provider.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What ties a program to the one that started it: it is asked on its standard input, line by line,
 * answers on its standard output, and ends when the input does.
 */
final class Lifeline {

  /** Begins the line that says where a program listens. */
  static final String LISTENS = "listens at ";

  /** Begins the answer to what was wrong. */
  static final String WRONG = "wrong: ";

  private Lifeline() {}

  /** Answers one line. */
  @FunctionalInterface
  interface Answers {

    /** Figures by name. */
    Map<String, Double> answer(String line) throws InterruptedException;
  }

  /** Answers until the input ends. */
  static void hold(URI uri, Answers answers) throws IOException, InterruptedException {
    Thread main = Thread.currentThread();
    // Ctrl-C reaches all of a terminal's programs at once, and who began this one still wants its
    // last figures. He closes its input when he is done.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> await(main)));
    System.out.println(LISTENS + uri);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      try {
        System.out.println(Pairs.text(answers.answer(line)));
      } catch (IllegalArgumentException wrong) {
        System.out.println(WRONG + wrong.getMessage());
      }
    }
  }

  private static void await(Thread main) {
    try {
      main.join(20_000);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
