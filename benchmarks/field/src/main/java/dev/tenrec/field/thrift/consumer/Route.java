// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import java.util.Map;

/** The way from an HTTP request to the provider. Thread-safe. */
interface Route extends AutoCloseable {

  /**
   * What the HTTP caller is answered.
   *
   * @param status of HTTP
   * @param text why, or what
   */
  record Reply(int status, String text) {}

  int ANSWERED = 200;
  int FAILED = 502;
  int REFUSED = 503;
  int TIMED_OUT = 504;

  /** Calls the provider, and waits. Throws nothing. */
  Reply call();

  /** What it counts. */
  Map<String, Long> gauges();

  @Override
  void close();
}
