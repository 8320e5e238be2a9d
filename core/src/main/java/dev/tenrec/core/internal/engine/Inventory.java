// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.timeout.Timer.FailureListener;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what there is to those that follow it, after the change. Used under the configuration's
 * lock only.
 */
final class Inventory {

  private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);

  // What can be reported. Made now: the JVM takes memory for the first use of each.

  static final BiConsumer<InventoryListener, CommandRuntime> COMMAND_ADDED =
      (listener, command) -> listener.onCommandAdded(command.view());
  static final BiConsumer<InventoryListener, CommandRuntime> COMMAND_REMOVED =
      (listener, command) -> listener.onCommandRemoved(command.view());
  static final BiConsumer<InventoryListener, PoolDetails> POOL_ADDED =
      InventoryListener::onPoolAdded;
  static final BiConsumer<InventoryListener, PoolDetails> POOL_REMOVED =
      InventoryListener::onPoolRemoved;
  static final BiConsumer<InventoryListener, CollapserDetails> COLLAPSER_ADDED =
      InventoryListener::onCollapserAdded;
  static final BiConsumer<InventoryListener, CollapserDetails> COLLAPSER_REMOVED =
      InventoryListener::onCollapserRemoved;
  static final BiConsumer<InventoryListener, SemaphoreDetails> SEMAPHORE_ADDED =
      InventoryListener::onSemaphoreAdded;
  static final BiConsumer<InventoryListener, SemaphoreDetails> SEMAPHORE_REMOVED =
      InventoryListener::onSemaphoreRemoved;
  static final BiConsumer<InventoryListener, RateLimiterDetails> RATE_LIMITER_ADDED =
      InventoryListener::onRateLimiterAdded;
  static final BiConsumer<InventoryListener, RateLimiterDetails> RATE_LIMITER_REMOVED =
      InventoryListener::onRateLimiterRemoved;
  static final BiConsumer<InventoryListener, RetryBudgetDetails> RETRY_BUDGET_ADDED =
      InventoryListener::onRetryBudgetAdded;
  static final BiConsumer<InventoryListener, RetryBudgetDetails> RETRY_BUDGET_REMOVED =
      InventoryListener::onRetryBudgetRemoved;

  /** One following, which is equal to no other, whatever its listener is equal to. */
  static final class Follower {

    private final InventoryListener listener;

    /** Written under the configuration's lock, read by the thread that reports. */
    private volatile boolean ended;

    Follower(InventoryListener listener) {
      this.listener = listener;
    }

    /** Nothing is reported to it any more, also of what is on its way. Takes no memory. */
    void end() {
      ended = true;
    }
  }

  private final List<Follower> followers = new CopyOnWriteArrayList<>();

  private final Consumer<Runnable> afterwards;
  private final FailureListener failures;

  /**
   * Without followers.
   *
   * @param afterwards runs a report once the lock is released; may find no memory to keep it
   * @param failures logs the reports that are lost by that
   */
  Inventory(Consumer<Runnable> afterwards, FailureListener failures) {
    this.afterwards = afterwards;
    this.failures = failures;
  }

  /** What is reported to all is reported to it, too, from now on. */
  void add(Follower follower) {
    boolean unused = followers.add(follower);
  }

  /** Nothing is reported to it any more once the lock is released. */
  void remove(Follower follower) {
    follower.end(); // first: the list takes memory
    boolean unused = followers.remove(follower);
    afterwards.accept(() -> {}); // so that a report on its way is waited for
  }

  /**
   * To those that follow now. Throws nothing, for it has happened: if there is no memory to keep
   * the report for a follower, that follower does not get it, and the loss is logged.
   */
  <T> void report(BiConsumer<InventoryListener, T> what, T about) {
    for (int i = 0; i < followers.size(); i++) { // an iterator would take memory
      try {
        report(followers.get(i), what, about);
      } catch (Throwable thrown) {
        lost(thrown);
      }
    }
  }

  private void lost(Throwable thrown) {
    try {
      failures.failed("an inventory listener is not told of what was added or removed", thrown);
    } catch (Throwable again) { // no memory to say so
      return;
    }
  }

  /**
   * To one that follows, or is going to be {@linkplain #add added}. Another thread may be at the
   * reports, and take this one at once.
   */
  <T> void report(Follower follower, BiConsumer<InventoryListener, T> what, T about) {
    afterwards.accept(
        () -> {
          if (!follower.ended) {
            reportNow(follower.listener, what, about);
          }
        });
  }

  private static <T> void reportNow(
      InventoryListener listener, BiConsumer<InventoryListener, T> what, T about) {
    try {
      what.accept(listener, about);
    } catch (Throwable thrown) { // also one that it does not declare
      LOG.error("An inventory listener threw", thrown);
    }
  }
}
