// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import org.apache.curator.test.TestingServer;

/** A ZooKeeper in this JVM. */
final class FreshZooKeeper {

  private static final int MOST_TRIES = 10;

  private FreshZooKeeper() {}

  /** Starts one; at another port where somebody has taken the one that was free a moment ago. */
  static TestingServer start() throws Exception {
    for (int tries = 1; ; tries++) {
      try {
        return new TestingServer(true);
      } catch (Exception taken) {
        if (tries == MOST_TRIES) {
          throw taken;
        }
      }
    }
  }
}
