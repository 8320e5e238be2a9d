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

  Subscriber(Runnable onChange) {
    this.onChange = Objects.requireNonNull(onChange, "onChange");
  }

  /** Runs the task. What it throws must not keep other subscribers from being notified. */
  void notifyOfChange() {
    try {
      onChange.run();
    } catch (RuntimeException | Error thrown) {
      LOG.error("a listener of changed settings threw", thrown);
    }
  }
}
