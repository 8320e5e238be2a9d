// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.load.Result;

/**
 * A part of the open load, with what became of the calls that were due in it, whenever they ended.
 *
 * @param phase which load there was
 * @param number of the windows, from 0
 * @param perSecond calls due
 * @param result of these calls
 */
record Window(Phase phase, int number, int perSecond, Result result) {

  /** So good that few would notice: all but one in twenty are answered, and these in time. */
  boolean isHealthy(double timeoutMillis) {
    return result.counts().answered() >= 0.95 * result.counts().due()
        && result.sinceIntended().percentileMillis(99) <= timeoutMillis;
  }
}
