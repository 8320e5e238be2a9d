// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.endpoint.service;

import dev.tenrec.examples.endpoint.child.Console;
import java.io.IOException;
import java.util.Map;

/** The service, in a JVM of its own. */
public final class ServiceMain {

  /** How many requests it works on at once. */
  public static final int SLOTS = CapacityService.SLOTS;

  private static final int FAILED = 2;

  private ServiceMain() {}

  /** Runs it until its input ends. */
  public static void main(String[] arguments) {
    Console console = Console.take();
    try (CapacityService service = CapacityService.open()) {
      console.serve(
          service.uri(), Map.of("begin", service::begin, "counts", rest -> service.counts()));
    } catch (IOException impossible) {
      System.err.println("service: " + impossible.getMessage());
      Runtime.getRuntime().halt(FAILED);
    }
    Runtime.getRuntime().halt(0);
  }
}
