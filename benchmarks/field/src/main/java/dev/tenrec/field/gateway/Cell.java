// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.load.Arrivals;

/**
 * One load: on the service itself, or on a gateway in a JVM of its own before it.
 *
 * @param call {@link #HELLO} or {@link #SLOW}
 * @param limit how many calls the gateway lets in at once; {@link #DIRECT} for no gateway
 * @param arrivals when calls are due
 * @param requests how many
 */
record Cell(String call, int limit, Arrivals arrivals, int requests) {

  /** A service that answers at once: what it costs is processor time. */
  static final String HELLO = "hello";

  /** A service that takes its time, which costs it next to nothing. */
  static final String SLOW = "slow";

  /** As limit: straight to the service. */
  static final int DIRECT = 0;

  boolean isDirect() {
    return limit == DIRECT;
  }

  String via() {
    return isDirect() ? "direct" : "gateway";
  }

  String load() {
    return arrivals instanceof Arrivals.Open open
        ? open.perSecond() + "/s"
        : ((Arrivals.Closed) arrivals).users() + " users";
  }

  @Override
  public String toString() {
    return call + ", " + load() + ", " + via() + (isDirect() ? "" : ", limit " + limit);
  }
}
