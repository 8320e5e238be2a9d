// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load.service;

import java.io.IOException;
import java.net.URI;

/** Keeps a server in a JVM of its own for as long as somebody holds its standard input. */
public final class Lifeline {

  static final String LISTENS = "listens at ";

  private Lifeline() {}

  /**
   * Tells whoever began this program where it listens, and returns when that one has closed its
   * input, or has died. To be called on the main thread, which then has to end.
   */
  public static void hold(URI server) throws IOException {
    Thread main = Thread.currentThread();
    // Ctrl-C reaches all of a terminal's programs at once: those in the midst of a call need the
    // answer for their last results. Who began this program closes its input when he is done.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> await(main)));
    System.out.println(LISTENS + server);
    while (System.in.read() >= 0) {
      // only its end means something
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
