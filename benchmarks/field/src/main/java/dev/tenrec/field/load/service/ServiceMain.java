// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.service;

import dev.tenrec.field.kit.Lifeline;
import dev.tenrec.field.load.FileHandles;
import java.io.IOException;
import java.util.Map;

/** A {@link DelayService} in a JVM of its own. It ends with its standard input. */
public final class ServiceMain {

  private ServiceMain() {}

  /**
   * Runs it.
   *
   * @param arguments the port, or 0 for a free one; how many connections at once it has to hold
   */
  public static void main(String[] arguments) {
    Lifeline.run("service", () -> start(arguments));
  }

  private static Lifeline.Service start(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      throw new IllegalArgumentException(
          "expected two arguments: PORT (0 for a free one), CONNECTIONS");
    }
    FileHandles.requireFor(Integer.parseInt(arguments[1]));
    DelayService service = DelayService.open(Integer.parseInt(arguments[0]));
    return new Lifeline.Service(service.uri().toString(), Map.of(), service);
  }
}
