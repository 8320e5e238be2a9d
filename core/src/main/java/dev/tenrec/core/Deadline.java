// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.context.Deadlines;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A moment by which something has to be over, because nothing waits for it any longer. The work of
 * a command {@linkplain CommandOptions#withDeadline with a deadline} has that of its call; where a
 * request comes in from another process, it is opened:
 *
 * <pre>{@code
 * Duration left = DeadlineHeader.MILLIS.read(header); // what the caller's side still has
 * try (Scope scope = Deadline.after(tenrec, left).open()) {
 *   return getQuote.execute(sku); // ends by then, or by its own time-out if that is earlier
 * }
 * }</pre>
 *
 * <p>Without the header there is none to open: {@link DeadlineHeader#read} takes no null.
 *
 * <p>It can be read, shortened and carried to other threads; it cannot be prolonged: what is opened
 * within another one is never later than that. It is on the monotonic clock of its {@link Tenrec},
 * so it means nothing in another process; {@link DeadlineHeader} writes the time that is left.
 *
 * <p>Immutable.
 */
public final class Deadline {

  /** What is later than that is treated as that. */
  static final Duration LONGEST = Duration.ofDays(3_650);

  private final Deadlines deadlines;
  private final long nanos;

  private Deadline(Deadlines deadlines, long nanos) {
    this.deadlines = deadlines;
    this.nanos = nanos;
  }

  /** The deadline of what this thread is at; empty if that has none. */
  public static Optional<Deadline> current(Tenrec tenrec) {
    Deadlines deadlines = of(tenrec);
    long nanos = deadlines.current();
    return nanos == Deadlines.NONE ? Optional.empty() : Optional.of(new Deadline(deadlines, nanos));
  }

  /**
   * A deadline so long from now, or that of what this thread is at, if that is earlier. Opens
   * nothing yet.
   *
   * @param left 0 or more; ten years at most count
   */
  public static Deadline after(Tenrec tenrec, Duration left) {
    Deadlines deadlines = of(tenrec);
    return new Deadline(
        deadlines, Deadlines.earlier(deadlines.current(), fromNow(deadlines, left)));
  }

  private static Deadlines of(Tenrec tenrec) {
    return tenrec.registry().engine().requests().deadlines;
  }

  private static long fromNow(Deadlines deadlines, Duration left) {
    if (left.isNegative()) {
      throw new IllegalArgumentException("The time left must be 0 or more, but is " + left);
    }
    Duration counts = left.compareTo(LONGEST) < 0 ? left : LONGEST;
    return Deadlines.after(deadlines.now(), counts.toNanos());
  }

  /** The time left; zero once it has passed. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, nanos - deadlines.now()));
  }

  /** Whether no time is left. */
  public boolean hasPassed() {
    return nanos - deadlines.now() <= 0;
  }

  /**
   * The earlier of this one and a time from now. There is no way to make it later.
   *
   * @param left 0 or more
   */
  public Deadline shortenedTo(Duration left) {
    return new Deadline(deadlines, Deadlines.earlier(nanos, fromNow(deadlines, left)));
  }

  /**
   * Gives it to this thread until the scope is closed, on this thread: the calls made meanwhile end
   * by it, if their commands heed deadlines. If the thread has an earlier one, that stays.
   */
  public Scope open() {
    return deadlines.shorten(nanos);
  }

  /** The task, within this deadline on whichever thread runs it. */
  public Runnable wrap(Runnable task) {
    Objects.requireNonNull(task, "task");
    return () -> {
      try (Scope scope = open()) {
        task.run();
      }
    };
  }

  /** The task, within this deadline on whichever thread runs it. */
  public <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
    Objects.requireNonNull(task, "task");
    return () -> {
      try (Scope scope = open()) {
        return task.call();
      }
    };
  }

  /** The executor, all of whose tasks are within this deadline: for the stages of a future. */
  public Executor wrap(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    return task -> executor.execute(wrap(task));
  }

  /**
   * Has a request of the JDK's client carry the time that is left: as a header for the other side,
   * and as the request's own time-out, of one millisecond at least.
   *
   * @return {@code request}
   */
  public HttpRequest.Builder writeTo(HttpRequest.Builder request, DeadlineHeader header) {
    Duration left = remaining();
    return request
        .setHeader(header.name(), header.write(left))
        .timeout(left.toMillis() > 0 ? left : Duration.ofMillis(1));
  }

  @Override
  public String toString() {
    return "deadline in " + remaining().toMillis() + " ms";
  }
}
