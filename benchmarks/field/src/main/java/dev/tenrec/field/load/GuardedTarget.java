// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.field.load.engine.Target;
import dev.tenrec.metrics.event.EventType;
import java.util.concurrent.CompletionStage;

/** Another target behind a command that lets only so many in at once. Thread-safe. */
public final class GuardedTarget implements Target {

  private final Target target;
  private final Tenrec tenrec = Tenrec.create();
  private final Command<Target, Integer> waiting;
  private final Command<Target, Integer> async;

  /**
   * A guarded target.
   *
   * @param permits how many calls may be in flight; more are refused
   */
  public GuardedTarget(Target target, int permits) {
    this.target = target;
    this.waiting =
        tenrec
            .command("Call", (Target guarded) -> guarded.call())
            .isolation(Isolation.semaphore(permits))
            .withoutTimeout()
            .withoutCircuitBreaker()
            .build();
    this.async =
        tenrec
            .asyncCommand("CallAsync", (Target guarded) -> guarded.callAsync())
            .isolation(Isolation.semaphore(permits))
            .withoutTimeout()
            .withoutCircuitBreaker()
            .build();
  }

  @Override
  public int call() {
    return waiting.execute(target);
  }

  @Override
  public CompletionStage<Integer> callAsync() {
    return async.executeAsync(target);
  }

  /** How often this happened, by the commands' own count. */
  public long count(EventType event) {
    return waiting.view().cumulativeCount(event) + async.view().cumulativeCount(event);
  }

  @Override
  public void close() throws Exception {
    target.close();
    tenrec.close();
  }
}
