// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load.service;

import dev.tenrec.examples.load.FileHandles;
import java.io.IOException;

/** A {@link DelayService} in a JVM of its own. It ends with its standard input. */
public final class ServiceMain {

  private static final int FAILED = 2;

  private ServiceMain() {}

  /**
   * Runs it.
   *
   * @param arguments the port, or 0 for a free one; how many connections at once it has to hold
   */
  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      System.err.println("expected two arguments: PORT (0 for a free one), CONNECTIONS");
      System.exit(FAILED);
    }
    try (DelayService service = DelayService.open(Integer.parseInt(arguments[0]))) {
      FileHandles.requireFor(Integer.parseInt(arguments[1]));
      Lifeline.hold(service.uri());
    } catch (IOException | IllegalArgumentException | IllegalStateException wrong) {
      System.err.println("service: " + wrong.getMessage());
      Runtime.getRuntime().halt(FAILED);
    }
  }
}
