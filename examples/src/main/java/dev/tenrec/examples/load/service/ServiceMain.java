// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load.service;

import dev.tenrec.examples.load.FileHandles;
import java.io.IOException;

/** A {@link DelayService} in a JVM of its own. It ends with its standard input. */
public final class ServiceMain {

  static final String LISTENS = "listens at ";

  private static final int FAILED = 2;

  private ServiceMain() {}

  /**
   * Runs it.
   *
   * @param arguments the port, or 0 for a free one; how many connections at once it has to hold
   */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 2) {
      System.err.println("expected two arguments: PORT (0 for a free one), CONNECTIONS");
      System.exit(FAILED);
    }
    try (DelayService service = DelayService.open(Integer.parseInt(arguments[0]))) {
      FileHandles.requireFor(Integer.parseInt(arguments[1]));
      Thread main = Thread.currentThread();
      // Ctrl-C reaches all of a terminal's programs at once: those in the midst of a call need the
      // answer for their last results. Who began this program closes its input when he is done.
      Runtime.getRuntime().addShutdownHook(new Thread(() -> await(main)));
      System.out.println(LISTENS + service.uri());
      while (System.in.read() >= 0) {
        // only its end means something
      }
    } catch (IOException | IllegalArgumentException | IllegalStateException wrong) {
      System.err.println("service: " + wrong.getMessage());
      Runtime.getRuntime().halt(FAILED);
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
