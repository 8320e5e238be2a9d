// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.web;

import dev.tenrec.core.Deadline;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The deadline that a web request brings along in a header, if it does. */
final class IncomingDeadline {

  private static final Logger LOG = LoggerFactory.getLogger(IncomingDeadline.class);

  private static final Scope NONE = () -> {};

  private IncomingDeadline() {}

  /**
   * Opens it on this thread. A header that cannot be read is another side's mistake, and does not
   * fail the request: it has no deadline then.
   *
   * @param value of the header; null if the request has none
   */
  static Scope open(Tenrec tenrec, DeadlineHeader header, @Nullable String value) {
    if (value == null) {
      return NONE;
    }
    Deadline deadline;
    try {
      deadline = Deadline.after(tenrec, header.read(value));
    } catch (IllegalArgumentException e) {
      LOG.debug("a request without a deadline: {}", e.getMessage());
      return NONE;
    }
    return deadline.open();
  }
}
