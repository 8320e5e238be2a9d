// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.relay;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/**
 * What an instance has registered, taken apart.
 *
 * @param host a name or an address
 * @param port from 1,024 on: below are other services than consoles
 * @param path that ends with a slash
 */
record ConsoleAddress(String host, int port, String path) {

  private static final int LEAST_PORT = 1_024;
  private static final int MOST_PORT = 65_535;
  private static final int LONGEST = 300;

  /** No segment begins with a dot: nothing leads upwards. */
  private static final Pattern PATH = Pattern.compile("/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*/)*");

  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+]");

  /**
   * Takes it apart.
   *
   * @throws NoLineException if a console could not be there
   */
  static ConsoleAddress of(String instance, String registered) throws NoLineException {
    try {
      URI uri = new URI(registered);
      if (registered.length() <= LONGEST
          && "http".equals(uri.getScheme())
          && uri.getHost() != null
          && HOST.matcher(uri.getHost()).matches()
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null
          && uri.getPort() >= LEAST_PORT
          && uri.getPort() <= MOST_PORT
          && PATH.matcher(uri.getRawPath()).matches()) {
        return new ConsoleAddress(uri.getHost(), uri.getPort(), uri.getRawPath());
      }
    } catch (URISyntaxException bad) {
      // said below
    }
    throw new NoLineException(
        403,
        "the console of "
            + instance
            + " is not opened: what it has registered is no address of one, as"
            + " http://10.2.3.4:7980/tenrec/, with a port from "
            + LEAST_PORT
            + " on");
  }
}
