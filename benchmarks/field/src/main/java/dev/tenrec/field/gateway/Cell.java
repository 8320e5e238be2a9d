// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.gateway.proxy.Gateway;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.http.Request;
import java.util.List;

/**
 * One load: on the service itself, or on a gateway in a JVM of its own before it.
 *
 * @param call {@link #HELLO} or {@link #SLOW}
 * @param limit how many calls the gateway lets in at once; {@link #DIRECT} for no gateway
 * @param arrivals when calls are due
 * @param requests how many; {@link Plan#MOST_REQUESTS} for as many as there is time for
 * @param threads of the gateway, each of which waits for the service; 0 for a few that do not
 */
record Cell(String call, int limit, Arrivals arrivals, int requests, int threads) {

  /** A service that answers at once: what it costs is processor time. */
  static final String HELLO = "hello";

  /** The same as {@link #HELLO}, for a POST of a kilobyte. */
  static final String POST = "post";

  /** A service that takes its time, which costs it next to nothing. */
  static final String SLOW = "slow";

  /** As limit: straight to the service. */
  static final int DIRECT = 0;

  /** A gateway whose threads wait for nobody, or none. */
  Cell(String call, int limit, Arrivals arrivals, int requests) {
    this(call, limit, arrivals, requests, Gateway.NO_WAITING);
  }

  boolean isDirect() {
    return limit == DIRECT;
  }

  /** Whether its users call for a time, not so many calls. */
  boolean isByTime() {
    return requests == Plan.MOST_REQUESTS;
  }

  String via() {
    return isDirect() ? "direct" : threads == 0 ? "gateway" : "gateway of " + threads + " threads";
  }

  String load() {
    return arrivals instanceof Arrivals.Open open
        ? open.perSecond() + "/s"
        : ((Arrivals.Closed) arrivals).users() + " users";
  }

  /** What each call sends. */
  Request request() {
    return call.equals(POST) ? Request.of("POST", List.of(), new byte[1_000]) : Request.GET;
  }

  @Override
  public String toString() {
    return call + ", " + load() + ", " + via() + (isDirect() ? "" : ", limit " + limit);
  }
}
