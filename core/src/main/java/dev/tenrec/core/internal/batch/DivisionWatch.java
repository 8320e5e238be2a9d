// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.collapser.Batch;
import dev.tenrec.core.internal.timeout.Timeout;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a batch's members while user code divides it into shards: that may block, and no
 * shard has a deadline yet.
 */
final class DivisionWatch extends Timeout {

  private final Batch<?, ?> batch;
  private final String key;
  private final Supplier<? extends Throwable> late;
  private final @Nullable Engine endlessIn;

  /** Set once: by the thread that has divided the batch, or by the one that ends it instead. */
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * Why it was ended, or nearly. Written by the timer's thread or the closing one before it sets
   * {@link #over}, read by the thread that has divided the batch and finds that set.
   */
  private volatile @Nullable Throwable error;

  /**
   * Not armed yet.
   *
   * @param key the collapser's
   * @param late what members end with at the deadline
   * @param endlessIn where it is armed again at the deadline, for members that have no end; null if
   *     they have
   */
  DivisionWatch(
      Batch<?, ?> batch,
      String key,
      long deadlineNanos,
      Supplier<? extends Throwable> late,
      @Nullable Engine endlessIn) {
    super(deadlineNanos);
    this.batch = batch;
    this.key = key;
    this.late = late;
    this.endlessIn = endlessIn;
  }

  /**
   * The batch is divided.
   *
   * @return null, unless its members have been ended with this error before, or are being ended: it
   *     must not run any more
   */
  @Nullable Throwable divided() {
    return over.compareAndSet(false, true) ? null : error;
  }

  @Override
  protected boolean isEnded() {
    return over.get();
  }

  /** Takes memory before it ends anything: if there is none, the timer tries again. */
  @Override
  protected void expired() {
    Engine engine = endlessIn;
    if (engine == null) {
      end(late.get());
      return;
    }
    postpone(engine.ticker().nanoTime() + BatchReceiver.LONG_NANOS);
    if (!engine.timer().arm(this)) { // it closes
      closed();
    }
  }

  @Override
  public void closed() {
    end(Errors.closed(key));
  }

  private void end(Throwable thrown) {
    error = thrown;
    if (over.compareAndSet(false, true)) {
      batch.end(thrown);
    }
  }
}
