// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.time.Duration;
import java.util.Properties;

/** Reads a server's own figures over HTTP. */
public final class StatusClient {

  private static final int PATIENCE_MILLIS = (int) Duration.ofSeconds(15).toMillis();

  private StatusClient() {}

  /**
   * The properties at this address.
   *
   * @throws IOException if there is no answer, or none in time
   */
  public static Properties at(URI address) throws IOException {
    URLConnection connection = address.toURL().openConnection();
    connection.setConnectTimeout(PATIENCE_MILLIS);
    connection.setReadTimeout(PATIENCE_MILLIS);
    try (InputStream in = connection.getInputStream()) {
      Properties properties = new Properties();
      properties.load(in);
      return properties;
    }
  }
}
