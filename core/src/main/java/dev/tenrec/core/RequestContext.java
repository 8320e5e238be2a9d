// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.context.RequestLog;
import dev.tenrec.core.internal.context.CommandLog;
import dev.tenrec.core.internal.request.Request;
import dev.tenrec.core.internal.request.Requests;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One unit of the application's own work, such as a web request it answers: what its calls share.
 * Opened and closed explicitly:
 *
 * <pre>{@code
 * try (RequestContext request = tenrec.openRequest()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>The thread that opens it is at it until it is closed; so is every command's work and fallback,
 * wherever they run. Threads of the application's own are not, unless their task was wrapped here.
 * If a thread that is at a request opens a second one, the second hides the first until the second
 * is closed.
 *
 * <p>It may be closed on any thread, and in any order. What still runs on behalf of it goes on;
 * what then needs an open request fails, because this one is closed. Thread-safe.
 */
public final class RequestContext implements AutoCloseable {

  private final Requests requests;
  private final Request request;
  private final Broadcast<FinishedRequest> finished;

  /** Kept here as well, so that it can be read after the end. Null where that came before. */
  private final @Nullable CommandLog log;

  RequestContext(Requests requests, Request request, Broadcast<FinishedRequest> finished) {
    this.requests = requests;
    this.request = request;
    this.finished = finished;
    this.log = request.log();
  }

  /**
   * What the commands of this request did so far, those that were answered; its {@code toString}
   * shows it in one line. May be read after the close, too.
   */
  public RequestLog log() {
    return log == null ? new RequestLog(List.of(), 0) : log.read();
  }

  /**
   * Brings this thread to it, until the returned scope is closed on the same thread: for where a
   * task cannot be wrapped.
   */
  public Scope enter() {
    return requests.enter(request);
  }

  /** The task, at this request on whichever thread runs it. */
  public Runnable wrap(Runnable task) {
    Objects.requireNonNull(task, "task");
    return () -> {
      try (Scope scope = requests.enter(request)) {
        task.run();
      }
    };
  }

  /** The task, at this request on whichever thread runs it. */
  public <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
    Objects.requireNonNull(task, "task");
    return () -> {
      try (Scope scope = requests.enter(request)) {
        return task.call();
      }
    };
  }

  /**
   * The supplier, at this request on whichever thread asks it. Has a name of its own because a
   * lambda could be a supplier as well as a callable.
   */
  public <T extends @Nullable Object> Supplier<T> wrapSupplier(Supplier<T> supplier) {
    Objects.requireNonNull(supplier, "supplier");
    return () -> {
      try (Scope scope = requests.enter(request)) {
        return supplier.get();
      }
    };
  }

  /**
   * The executor, all of whose tasks are at this request: for the asynchronous stages of a future,
   * and, by {@code Schedulers.from(request.wrap(executor))}, for Rx.
   */
  public Executor wrap(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    return task -> executor.execute(wrap(task));
  }

  /**
   * Takes this thread away from it, without closing it: for a thread that opened it and goes on to
   * other things while the request is worked on elsewhere. Does nothing on a thread that is not at
   * it.
   */
  public void leave() {
    requests.leave(request);
  }

  /** Whether it has been closed. */
  public boolean isClosed() {
    return request.isClosed();
  }

  /**
   * Closes it, on any thread: closes its variables, whatever one of them throws, and lets go of all
   * it holds. The close is reported to the subscribers of {@link Tenrec#finishedRequests}. A second
   * close does nothing.
   */
  @Override
  public void close() {
    long openNanos = requests.close(request);
    if (openNanos >= 0 && finished.areHeard()) {
      finished.send(new FinishedRequest(log(), Duration.ofNanos(openNanos)));
    }
  }
}
