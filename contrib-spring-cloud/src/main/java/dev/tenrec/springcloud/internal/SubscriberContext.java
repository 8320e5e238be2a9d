// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud.internal;

import dev.tenrec.core.RequestContext;
import io.micrometer.context.ContextSnapshotFactory;
import org.springframework.util.ClassUtils;
import reactor.util.context.ContextView;

/**
 * Starts a command at the request of its subscriber's Reactor context, and with the thread-locals
 * that are in it, if Micrometer's context-propagation is there to know them. The command captures
 * both, and takes them into work and fallback.
 */
final class SubscriberContext {

  private static final boolean THREAD_LOCALS =
      ClassUtils.isPresent(
          "io.micrometer.context.ContextSnapshotFactory", SubscriberContext.class.getClassLoader());

  private SubscriberContext() {}

  /** Runs {@code start} so, on this thread. */
  static void run(ContextView context, Runnable start) {
    RequestContext request = context.getOrDefault(RequestContext.class, null);
    Runnable atRequest = request == null ? start : request.wrap(start);
    if (THREAD_LOCALS && !context.isEmpty()) {
      ThreadLocals.run(context, atRequest);
    } else {
      atRequest.run();
    }
  }

  /** Loaded when the library is there. */
  private static final class ThreadLocals {

    /** What is not in the context stays as the thread has it. */
    private static final ContextSnapshotFactory SNAPSHOTS =
        ContextSnapshotFactory.builder().build();

    static void run(ContextView context, Runnable start) {
      try (var scope = SNAPSHOTS.setThreadLocalsFrom(context)) {
        start.run();
      }
    }
  }
}
