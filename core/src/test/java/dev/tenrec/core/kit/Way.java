// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.internal.isolation.VirtualThreads;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import java.util.stream.Stream;

/** How the work of a command under test runs. */
public enum Way {
  POOL,
  SEMAPHORE,
  VIRTUAL_THREAD,
  /** A completion stage, started on the caller's thread under a semaphore. */
  STAGE;

  /** Those that this JVM has. */
  public static List<Way> all() {
    return Stream.of(values())
        .filter(way -> way != VIRTUAL_THREAD || VirtualThreads.supported())
        .toList();
  }

  /** Those whose work runs on a thread of Tenrec's. */
  public static List<Way> away() {
    return all().stream().filter(Way::isAway).toList();
  }

  /** Those whose work does not keep the thread of its caller: elsewhere, or as a stage. */
  public static List<Way> leavingCaller() {
    return all().stream().filter(way -> way != SEMAPHORE).toList();
  }

  public boolean isAway() {
    return this == POOL || this == VIRTUAL_THREAD;
  }

  public Isolation isolation() {
    return isolation(10);
  }

  /** With room for so many; a pool has one thread at least. */
  public Isolation isolation(int room) {
    return switch (this) {
      case POOL -> Isolation.threadPool().key("Pool").coreSize(Math.max(1, room));
      case VIRTUAL_THREAD -> Isolation.virtualThreads(room);
      case SEMAPHORE, STAGE -> Isolation.semaphore(room);
    };
  }

  public EventType rejection() {
    return this == POOL ? EventType.THREAD_POOL_REJECTED : EventType.SEMAPHORE_REJECTED;
  }
}
