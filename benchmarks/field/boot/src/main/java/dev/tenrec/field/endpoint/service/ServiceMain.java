// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.service;

import dev.tenrec.field.kit.Lifeline;
import java.io.IOException;
import java.util.Map;

/** The service, in a JVM of its own. */
public final class ServiceMain {

  /** How many requests it works on at once. */
  public static final int SLOTS = CapacityService.SLOTS;

  private ServiceMain() {}

  /** Runs it until its input ends. */
  public static void main(String[] arguments) {
    Lifeline.run("service", ServiceMain::start);
  }

  private static Lifeline.Service start() throws IOException {
    CapacityService service = CapacityService.open();
    return new Lifeline.Service(
        service.uri().toString(),
        Map.of("begin", service::begin, "counts", rest -> service.counts()),
        service);
  }
}
