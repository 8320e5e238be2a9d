// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.thrift;

import dev.tenrec.examples.load.Result;

/**
 * A part of the open load, with what became of the calls that were due in it, whenever they ended.
 *
 * @param phase which load there was
 * @param beginSecond since the load began
 * @param perSecond calls due
 * @param result of these calls
 */
record Window(Phase phase, int beginSecond, int perSecond, Result result) {

  /** So good that nobody would notice: all but one in a hundred, and these in time. */
  boolean isHealthy(double timeoutMillis) {
    return result.counts().answered() >= 0.99 * result.counts().due()
        && result.sinceIntended().percentileMillis(99) <= timeoutMillis;
  }
}
