// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.request;

import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.context.CommandLog;
import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.context.ThreadBound;
import dev.tenrec.core.internal.context.Variables;
import dev.tenrec.metrics.time.Ticker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests of one Tenrec: which one a thread is at. Thread-safe. */
public final class Requests {

  private final ThreadBound<Request> bound = new ThreadBound<>();

  /** The runs that a thread is working in, of those that calls of a request share. */
  public final RunningWithin within = new RunningWithin();

  /** By when what a thread is at has to be over. */
  public final Deadlines deadlines;

  private final Ticker ticker;
  private final int logLimit;

  /**
   * No request is open.
   *
   * @param ticker reads time
   * @param logLimit how many entries the log of a request keeps
   */
  public Requests(Ticker ticker, int logLimit) {
    this.deadlines = new Deadlines(ticker);
    this.ticker = ticker;
    this.logLimit = logLimit;
  }

  /**
   * Carry the request of a caller, the runs it is working in, and its deadline, to its work and its
   * fallback.
   */
  public List<ContextPropagator> propagators() {
    return List.of(bound, within, deadlines);
  }

  /** Opens one on this thread, where it hides an outer one until it is closed. */
  public Request open() {
    Request outer = firstOpen(bound.get());
    Request request =
        new Request(
            outer,
            new Request.Parts(
                new Variables(), new RequestCache(), new CommandLog(logLimit), ticker.nanoTime()),
            deadlines.current());
    bound.set(request);
    return request;
  }

  /**
   * Closes it, for every thread that still has it.
   *
   * @return for how long it was open, in nanoseconds; -1 if it was closed before
   */
  public long close(Request request) {
    Request.Parts parts = request.end();
    if (parts == null) {
      return -1;
    }
    // whatever its values do as they are closed, they do it at this request and at no other
    try (Scope scope = bound.bind(request)) {
      parts.variables().close();
    } finally {
      if (request.isOpenedHere()) {
        uncover();
      }
    }
    return ticker.nanoTime() - parts.openedNanos();
  }

  /**
   * Takes this thread away from a request that stays open: back to the one it hid here, if any. A
   * thread that was brought to it has nothing to do with the one it hid elsewhere.
   */
  public void leave(Request request) {
    if (bound.get() != request) {
      return;
    }
    Request outer = request.isOpenedHere() ? firstOpen(request.outer) : null;
    if (outer == null) {
      bound.clear();
    } else {
      bound.set(outer);
    }
  }

  /** On a thread that opened requests: back to the innermost that is open, if there is one. */
  private void uncover() {
    Request top = bound.get();
    Request open = firstOpen(top);
    if (open == null) {
      bound.clear();
    } else if (open != top) {
      bound.set(open);
    }
  }

  /**
   * Requests may be closed in any order, and by other threads than those that opened them. Threads
   * that were brought to a request stay at it when it is closed. So does the thread that opened it,
   * while it is in a wrapped task: what goes on there is no concern of the request it hid.
   */
  private static @Nullable Request firstOpen(@Nullable Request top) {
    Request request = top;
    while (request != null
        && request.isClosed()
        && request.isOpenedHere()
        && request.entered == 0) {
      request = request.outer;
    }
    return request;
  }

  /** The one this thread is at, which may be closed; null if it is at none. */
  public @Nullable Request current() {
    return bound.get();
  }

  /** Makes this thread be at a request, open or not, until the scope ends. */
  public Scope enter(Request request) {
    Request before = bound.get();
    Scope scope = withDeadline(request, bound.bind(request));
    if (request.isOpenedHere()) {
      request.entered++;
      return () -> {
        request.entered--;
        scope.close();
        uncover(); // it may have been closed in there
      };
    }
    if (before == null || !before.isOpenedHere()) {
      return scope;
    }
    return () -> {
      scope.close();
      uncover(); // so may the one before
    };
  }

  /** A thread that is brought to a request has the deadline that the request was opened in. */
  private Scope withDeadline(Request request, Scope scope) {
    if (request.deadlineNanos == Deadlines.NONE) {
      return scope;
    }
    Scope shorter = deadlines.shorten(request.deadlineNanos);
    return () -> {
      shorter.close();
      scope.close();
    };
  }

  /**
   * The variables of the request this thread is at.
   *
   * @param needing what asks for them, for the message
   * @throws IllegalStateException if there is none, or it is closed
   */
  public Variables variables(String needing) {
    return parts(needing).variables();
  }

  /** What the request this thread is at has; null if there is none, or it is closed. */
  public Request.@Nullable Parts openParts() {
    Request request = bound.get();
    return request == null ? null : request.parts();
  }

  /**
   * Where a call that begins on this thread is to be written down; null for nowhere.
   *
   * @param enabled whether its command's settings want that
   */
  public @Nullable CommandLog log(boolean enabled) {
    Request.Parts parts = openParts();
    return parts == null || !enabled ? null : parts.log();
  }

  private Request.Parts parts(String needing) {
    Request.Parts parts = openParts();
    if (parts == null) {
      throw missing(needing);
    }
    return parts;
  }

  /** Why {@code needing} cannot go on here, and what to do about it. */
  public IllegalStateException missing(String needing) {
    return new IllegalStateException(
        needing
            + " needs an open request, and "
            + (bound.get() == null
                ? "this thread is at none"
                : "the one this thread is at has been closed")
            + ": open one with try (RequestContext request = tenrec.openRequest()) {..}, and carry"
            + " it to threads of your own with request.wrap(..)");
  }
}
