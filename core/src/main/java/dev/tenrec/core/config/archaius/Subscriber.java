// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that runs after each change; compared by identity, so that one task may be subscribed
 * twice.
 */
final class Subscriber {

  private static final Logger LOG = LoggerFactory.getLogger(Subscriber.class);

  private final Runnable onChange;

  /** Written by the thread that ends the subscription, read by threads that notify. */
  private volatile boolean ended;

  Subscriber(Runnable onChange) {
    this.onChange = Objects.requireNonNull(onChange, "onChange");
  }

  /** The task runs no more, also by a thread that is about to come to it. */
  void end() {
    ended = true;
  }

  /**
   * Runs the task, unless it has ended. What it throws must not keep other subscribers from being
   * notified.
   */
  void notifyOfChange() {
    if (ended) {
      return;
    }
    try {
      onChange.run();
    } catch (RuntimeException | Error thrown) {
      LOG.error("a listener of changed settings threw", thrown);
    }
  }
}
