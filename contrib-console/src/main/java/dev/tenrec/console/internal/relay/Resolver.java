// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.relay;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Asks for the addresses of a host. */
public interface Resolver {

  /**
   * All of them; of an address, itself.
   *
   * @throws UnknownHostException if there is none
   */
  InetAddress[] addresses(String host) throws UnknownHostException;
}
