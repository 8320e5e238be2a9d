// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load.service;

import java.io.IOException;
import java.io.InputStream;
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
    try (InputStream in = service.resolve(DelayService.COUNTS).toURL().openStream()) {
      Properties told = new Properties();
      told.load(in);
      return new ServiceCounts(
          Long.parseLong(told.getProperty("received")),
          Long.parseLong(told.getProperty("mostInFlight")));
    }
  }

  /** Has it count from 0. */
  public static void reset(URI service) throws IOException {
    try (InputStream in = service.resolve(DelayService.RESET).toURL().openStream()) {
      byte[] unused = in.readAllBytes();
    }
  }

  String text() {
    return "received=" + received + "\nmostInFlight=" + mostInFlight + "\n";
  }
}
