// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.time.Ticker;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one collapser in one scope: one after the other, at most one of them open.
 * Thread-safe.
 *
 * @param <A> what a member asks with
 * @param <R> what it is answered
 */
public final class Batches<A extends @Nullable Object, R extends @Nullable Object> {

  /** Why the timer takes no batch any more. */
  static final String CLOSED = "its Tenrec was closed";

  private final Batching<A, R> batching;
  private final Timer timer;
  private final Ticker ticker;

  /** The last one that was opened. Replaced by a member that finds it ended, by a CAS. */
  private final AtomicReference<@Nullable Batch<A, R>> latest = new AtomicReference<>();

  /**
   * Why nothing can join any more; null while it can. Written by {@link #close} before it looks for
   * an open batch, read by members after they have opened one, ordered by volatile access. At least
   * one of the two threads sees what the other did.
   */
  private volatile @Nullable String ended;

  /**
   * No batch yet.
   *
   * @param timer on the ticker's scale
   */
  public Batches(Batching<A, R> batching, Timer timer, Ticker ticker) {
    this.batching = batching;
    this.timer = timer;
    this.ticker = ticker;
  }

  /**
   * Joins the open batch, or opens one. If that is full, starts it: the calling thread hands it
   * over, and does nothing of its work.
   *
   * @throws IllegalStateException if the scope has ended
   * @throws RuntimeException whatever the argument's {@code hashCode} or {@code equals} throws, or
   *     {@link Batching#opening}; the member is not in a batch then
   */
  public void join(A argument, Member<R> member) {
    int hash = Slots.hash(argument); // first: what blocks there keeps no batch
    long deadline = batching.deadlineNanos();
    while (true) {
      Batch<A, R> batch = latest.get();
      if (batch == null || !batch.isOpen()) {
        open(batch);
        continue; // joins the new batch, or that of a thread that was faster
      }
      Batch.Joined joined = batch.join(argument, hash, member, deadline, batching.maxRequests());
      if (joined == Batch.Joined.FILLED) { // no switch: its class may find no memory, for ever
        batch.handOver();
      }
      if (joined != Batch.Joined.TOO_LATE) {
        return;
      }
    }
  }

  /** Opens one after the last, unless another thread has. */
  private void open(@Nullable Batch<A, R> last) {
    requireOpen();
    BatchStarter<A, R> starter = batching.opening();
    long start = ticker.nanoTime() + batching.delayNanos();
    Batch<A, R> opened = new Batch<>(batching.key(), starter, start, batching.deliverer());
    if (!latest.compareAndSet(last, opened)) {
      return;
    }
    try {
      if (!timer.arm(opened)) {
        opened.cancel(CLOSED);
        throw new CancellationException(batching.key() + " was cancelled: " + CLOSED);
      }
    } catch (CancellationException closed) {
      throw closed;
    } catch (Throwable thrown) { // the system has no thread for the timer
      opened.fail(thrown); // the members that joined meanwhile
      throw thrown;
    }
    String reason = ended;
    if (reason != null) { // the scope has ended meanwhile: nothing joins it any more
      opened.cancel(reason);
    }
  }

  private void requireOpen() {
    String reason = ended;
    if (reason != null) {
      throw new IllegalStateException(batching.key() + " cannot be called any more: " + reason);
    }
  }

  /**
   * The scope ends: what waits in an open batch receives a CancellationException, on the calling
   * thread; what is in a batch that has started is answered by it. Idempotent.
   *
   * @param reason why, to follow "was cancelled: "
   */
  public void close(String reason) {
    ended = reason;
    Batch<A, R> last = latest.getAndSet(null);
    if (last != null) {
      last.cancel(reason);
    }
  }
}
