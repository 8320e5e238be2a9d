// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.view.PoolDetails;

/** How much there is in this process. What was reset is not counted. */
public final class HystrixCounters {

  private HystrixCounters() {}

  /** Threads of pools that are in a command's work now. */
  public static int getGlobalConcurrentThreadsExecuting() {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    return keys == null ? 0 : keys.tenrec.pools().stream().mapToInt(PoolDetails::active).sum();
  }

  /** Commands of which an instance was made. */
  public static int getCommandCount() {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    return keys == null ? 0 : keys.commands.size();
  }

  /** Pools that commands named, whether they have threads or not. */
  public static int getThreadPoolCount() {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    return keys == null
        ? 0
        : (int)
            keys.commands.values().stream()
                .map(command -> command.description.poolKey().name())
                .distinct()
                .count();
  }

  /** Groups that commands named. */
  public static int getGroupCount() {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    return keys == null
        ? 0
        : (int)
            keys.commands.values().stream()
                .map(command -> command.description.group().name())
                .distinct()
                .count();
  }
}
