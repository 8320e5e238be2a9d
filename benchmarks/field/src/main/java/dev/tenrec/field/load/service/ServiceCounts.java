// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.service;

import dev.tenrec.field.kit.ProcessMeter;
import dev.tenrec.field.kit.StatusClient;
import java.io.IOException;
import java.net.URI;
import java.util.Properties;

/**
 * What a service says it was asked.
 *
 * @param received requests that arrived
 * @param mostInFlight the most that had arrived and were not answered
 * @param process what its process took
 */
public record ServiceCounts(long received, long mostInFlight, ProcessMeter.Figures process) {

  /** Asks for them. */
  public static ServiceCounts of(URI service) throws IOException {
    Properties properties = StatusClient.at(service.resolve(DelayService.COUNTS));
    return new ServiceCounts(
        Long.parseLong(properties.getProperty("received")),
        Long.parseLong(properties.getProperty("mostInFlight")),
        ProcessMeter.Figures.of(properties));
  }

  /** Has it count from 0. */
  public static void reset(URI service) throws IOException {
    Properties unused = StatusClient.at(service.resolve(DelayService.RESET));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("received=").append(received).append('\n');
    text.append("mostInFlight=").append(mostInFlight).append('\n');
    process.values().forEach((name, value) -> text.append(name + "=" + value + "\n"));
    return text.toString();
  }
}
