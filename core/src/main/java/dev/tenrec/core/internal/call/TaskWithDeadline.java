// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.internal.timeout.Timer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task of a command's share that something waits for, and that is looked after while it has not
 * begun: the share may be busy for long, even with work that waits for this very task. It begins
 * once, or is withdrawn once.
 */
public abstract class TaskWithDeadline extends CallbackTask {

  /** Set once, by the thread that begins or withdraws it. */
  private final AtomicBoolean claimed = new AtomicBoolean();

  /**
   * Whether it is claimed for {@link #withdrawn}, which has not returned. Written and read by the
   * thread that opens it, before a watch is armed; then by the timer's thread, and by the closing
   * one after its end.
   */
  private boolean withdrawing;

  /** Whether the calling thread is the one to begin it, or to withdraw it. */
  public final boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  @Override
  protected final void run() {
    if (claim()) {
      begin();
    }
  }

  /** Does it, on a thread of the share. */
  public abstract void begin();

  /**
   * It has not begun by this time. On the timer's thread: runs no user code, and does not wait. If
   * it throws, for there is no memory, the timer calls it again, unless it is being withdrawn.
   */
  public abstract void notBegun(long deadlineNanos);

  /** Withdraws it, unless it has begun: {@link #withdrawn} runs, as often as it takes. */
  public final void withdraw() {
    if (withdrawing || claim()) {
      withdrawing = true;
      withdrawn();
      withdrawing = false;
    }
  }

  /** Ends what waits for it, for it will not begin. If it throws, it is called again. */
  public abstract void withdrawn();

  /** Has {@link #notBegun} called then, if that is so. */
  public final void watch(Timer timer, long deadlineNanos) {
    if (!claimed.get()) {
      boolean unused = timer.arm(new Watch(deadlineNanos)); // a closed timer: closing ends this
    }
  }

  /** The timer's node. */
  private final class Watch extends Timeout {

    private Watch(long deadlineNanos) {
      super(deadlineNanos);
    }

    @Override
    protected boolean isEnded() {
      return claimed.get() && !withdrawing;
    }

    @Override
    protected void expired() {
      if (withdrawing) { // whatever has become of the share since it was claimed for that
        withdraw();
      } else {
        notBegun(deadlineNanos());
      }
    }

    @Override
    public void closed() {
      if (withdrawing) {
        withdraw();
      } else if (!claimed.get()) {
        abort();
      }
    }
  }
}
