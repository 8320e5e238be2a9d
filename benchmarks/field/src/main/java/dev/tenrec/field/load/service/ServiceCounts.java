// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.service;

import dev.tenrec.field.kit.StatusClient;
import java.io.IOException;
import java.net.URI;
import java.util.Properties;

/**
 * What a service says it was asked.
 *
 * @param received requests that arrived
 * @param mostInFlight the most that had arrived and were not answered
 */
public record ServiceCounts(long received, long mostInFlight) {

  /** Asks for them. */
  public static ServiceCounts of(URI service) throws IOException {
    Properties told = StatusClient.at(service.resolve(DelayService.COUNTS));
    return new ServiceCounts(
        Long.parseLong(told.getProperty("received")),
        Long.parseLong(told.getProperty("mostInFlight")));
  }

  /** Has it count from 0. */
  public static void reset(URI service) throws IOException {
    Properties unused = StatusClient.at(service.resolve(DelayService.RESET));
  }

  String text() {
    return "received=" + received + "\nmostInFlight=" + mostInFlight + "\n";
  }
}
