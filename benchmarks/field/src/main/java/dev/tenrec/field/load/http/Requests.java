// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import java.nio.charset.StandardCharsets;

/** What is sent. */
final class Requests {

  private Requests() {}

  static byte[] get(LoopbackAddress address) {
    return ("GET " + address.path() + " HTTP/1.1\r\nHost: " + address.host() + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }
}
