// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * A callback executor that begins nothing while it is held, and else each task on a thread of its
 * own, and that knows when all of it is over.
 */
public final class HeldCallbacks implements Executor {

  // Guarded by this.
  private final List<Runnable> held = new ArrayList<>();
  private boolean open;
  private int running;

  /** One that is not held: begins each task at once. */
  public static HeldCallbacks open() {
    HeldCallbacks callbacks = new HeldCallbacks();
    callbacks.letGo();
    return callbacks;
  }

  @Override
  public synchronized void execute(Runnable task) {
    if (open) {
      begin(task);
    } else {
      held.add(task);
    }
  }

  private synchronized void begin(Runnable task) {
    running++;
    Thread unused = Elsewhere.start(() -> run(task));
  }

  private void run(Runnable task) {
    try {
      task.run();
    } finally {
      synchronized (this) {
        running--;
      }
    }
  }

  /** Begins nothing that comes from now on. */
  public synchronized void hold() {
    open = false;
  }

  /** Begins what is held, and all that comes from now on. */
  public synchronized void letGo() {
    open = true;
    held.forEach(this::begin);
    held.clear();
  }

  /** Waits until so many are held. */
  public void awaitHeld(int count) {
    Scenario.await().until(() -> held() >= count);
  }

  private synchronized int held() {
    return held.size();
  }

  /** Waits until all that has begun is over. */
  public void awaitOver() {
    Scenario.await().until(() -> running() == 0);
  }

  private synchronized int running() {
    return running;
  }
}
