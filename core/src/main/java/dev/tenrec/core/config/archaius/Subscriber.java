// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Somebody to be told of changes; compared by identity, so that the same task may be subscribed
 * twice.
 */
final class Subscriber {

  private static final Logger LOG = LoggerFactory.getLogger(Subscriber.class);

  private final Runnable onChange;

  Subscriber(Runnable onChange) {
    this.onChange = Objects.requireNonNull(onChange, "onChange");
  }

  /** What one throws must not keep the others from being told. */
  void tell() {
    try {
      onChange.run();
    } catch (RuntimeException | Error thrown) {
      LOG.error("Somebody who was told of changed settings threw", thrown);
    }
  }
}
