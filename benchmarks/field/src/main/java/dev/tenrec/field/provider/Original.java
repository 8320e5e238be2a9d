// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.provider.service.Method;
import java.util.List;

/**
 * A row of the original's table, which was measured on 8 cores at 100 concurrent calls.
 *
 * @param pool as it was there
 * @param method what was called
 * @param millionsPerMinute calls
 * @param cpuPercent of all its cores
 * @param load its load average
 * @param sameThreads the pool of as many threads here, or one more
 * @param samePerCore the pool here of as many threads for each of 2 cores
 */
record Original(
    String pool,
    Method method,
    double millionsPerMinute,
    double cpuPercent,
    double load,
    PoolSetting sameThreads,
    PoolSetting samePerCore) {

  private static final PoolSetting EIGHT = PoolSetting.fixed(8, 0);
  private static final PoolSetting TWO = PoolSetting.fixed(2, 0);

  /** The one the others are compared with: the original's best. */
  static final Original BEST =
      new Original(
          "25 fixed, queue 100",
          Method.IS_FOLLOW,
          3.00,
          96,
          24,
          PoolSetting.fixed(25, 100),
          PoolSetting.fixed(6, 100));

  /** All of them. */
  static final List<Original> ROWS =
      List.of(
          new Original(
              "200 cached, no queue",
              Method.IS_FOLLOW,
              2.38,
              96,
              46,
              Form.DEFAULT,
              // the like, for each core; it is not among the points, so that no figure is shown
              PoolSetting.growing(5, 50, 0)),
          new Original(
              "50 fixed, queue 100",
              Method.IS_FOLLOW,
              2.54,
              88,
              21,
              PoolSetting.fixed(50, 100),
              PoolSetting.fixed(12, 100)),
          BEST,
          new Original(
              "15 fixed, queue 100 (ours: 16, and 4)",
              Method.IS_FOLLOW,
              2.81,
              91,
              12,
              PoolSetting.fixed(16, 100),
              PoolSetting.fixed(4, 100)),
          new Original("8 fixed, no queue", Method.IS_FOLLOW, 1.90, 72, 12.7, EIGHT, TWO),
          new Original("8 fixed, no queue", Method.QUERY_FOLLOW_LIST, 1.60, 54, 12.6, EIGHT, TWO),
          new Original("8 fixed, no queue", Method.FOLLOW, 0.06, 18, 3.1, EIGHT, TWO));
}
