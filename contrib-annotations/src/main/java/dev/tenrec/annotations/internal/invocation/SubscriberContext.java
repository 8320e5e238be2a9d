// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.RequestContext;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.function.Supplier;
import org.springframework.util.ClassUtils;
import reactor.util.context.ContextView;

/**
 * Starts a command as the Reactor context of its subscriber says: at the request that is in it, and
 * with the thread-locals that are in it, if Micrometer's context-propagation is there to know them.
 * The command captures both, and takes them into work and fallback. Loaded when a method returns a
 * type of Reactor's.
 */
final class SubscriberContext {

  private static final boolean THREAD_LOCALS =
      ClassUtils.isPresent(
          "io.micrometer.context.ContextSnapshotFactory", SubscriberContext.class.getClassLoader());

  private SubscriberContext() {}

  /** What {@code start} returns, started so on this thread. */
  static <T> T at(ContextView context, Supplier<T> start) {
    RequestContext request = context.getOrDefault(RequestContext.class, null);
    Supplier<T> atRequest = request == null ? start : request.wrapSupplier(start);
    return THREAD_LOCALS && !context.isEmpty()
        ? ThreadLocals.of(context, atRequest)
        : atRequest.get();
  }

  /** Loaded when the library is there. */
  private static final class ThreadLocals {

    /** What is not in the context stays as the thread has it. */
    private static final ContextSnapshotFactory SNAPSHOTS =
        ContextSnapshotFactory.builder().build();

    static <T> T of(ContextView context, Supplier<T> start) {
      try (var scope = SNAPSHOTS.setThreadLocalsFrom(context)) {
        return start.get();
      }
    }
  }
}
