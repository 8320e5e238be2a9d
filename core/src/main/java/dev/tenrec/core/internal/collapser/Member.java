// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of a collapser: a node in the batch it joined, and the receiver of its answer, so that a
 * member costs one object. The doors are its kinds. It is settled once: answered, failed, or left
 * by its own caller, and receives nothing after that. It waits in a batch, or at another {@link
 * Place} for one that does.
 *
 * <p>An answer comes in two steps: {@link #publish} shows it to threads that wait, and runs no user
 * code; {@link #deliver} has it received, which may. All members of a batch are published before
 * any is delivered to. It is the task that delivers to it, so that this needs no memory.
 *
 * @param <R> what it is answered
 */
public abstract class Member<R extends @Nullable Object> extends CallbackTask
    implements Receiver<R> {

  private static final Logger LOG = LoggerFactory.getLogger(Member.class);
  private static final VarHandle SETTLED;

  static {
    try {
      SETTLED = MethodHandles.lookup().findVarHandle(Member.class, "settled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    try { // linked now: the JVM takes memory for the first call of each kind on a handle
      boolean unused = SETTLED.compareAndSet((Member<?>) null, false, true);
    } catch (NullPointerException noMember) {
      // there is none so far: the handle has been linked before it looked
    }
  }

  /** Written once by compare-and-set, by the batch or by the caller that leaves; read by both. */
  private volatile boolean settled;

  // Its ending. Written by the thread that settles it, and read by it, or by the one that delivers,
  // to which it hands over.
  private @Nullable R value;
  private @Nullable Throwable error;
  private boolean ended;

  /**
   * Where it waits. Written by the thread that brings it there, in a batch under the batch's lock.
   * Read by the thread that leaves, after it has settled the member. Ordered by volatile access: at
   * least one of the two threads sees what the other did.
   */
  private volatile @Nullable Place<R> place;

  /** Whether its slot counts it. Under the batch's lock only. */
  private boolean counted;

  /**
   * The member that joined the slot before. Written under the batch's lock, read after its start.
   */
  private @Nullable Member<R> next;

  /**
   * Its caller does not want the answer any more. Before the batch's start it is taken out of it;
   * later that has no effect on the batch.
   *
   * @return whether this settled it: then it receives nothing more
   */
  public final boolean leave() {
    if (!settle()) {
      return false;
    }
    Place<R> waited = place;
    if (waited != null) {
      waited.left(this);
    }
    return true;
  }

  /**
   * The side of its receiver gives it up: it leaves. What it was settled with before, and did not
   * receive so far, it need not receive any more.
   */
  public void dismiss() {
    boolean unused = leave();
  }

  /**
   * Its own deadline has come: threads that wait for it see the error. Runs no user code. Has to be
   * followed by {@link #leaveLate} on a thread that may.
   *
   * @return false if it was settled before
   */
  public final boolean expire(Throwable late) {
    if (!settle()) {
      return false;
    }
    try {
      published(null, late);
    } catch (Throwable noMemory) { // receiving it makes up for that
      return true;
    }
    return true;
  }

  /** After {@link #expire}: takes it out of its batch, and has it receive the error. */
  public final void leaveLate(Throwable late) {
    Place<R> waited = place;
    if (waited != null) {
      waited.left(this);
    }
    receiveLate(late);
  }

  /**
   * The second half of {@link #leaveLate}, on its own where that has thrown.
   *
   * @throws VirtualMachineError if there was no memory or no stack for it, and it {@link
   *     #runsAgain}
   */
  public final void receiveLate(Throwable late) {
    try {
      onError(late);
    } catch (VirtualMachineError noMemory) {
      logOrThrow(noMemory);
    } catch (Throwable thrown) { // it is settled: this concerns no other member
      logFailed(thrown);
    }
  }

  /** Whether it was answered, failed, or left. */
  public final boolean isSettled() {
    return settled;
  }

  /**
   * Fails it on its caller's own thread, unless it is settled.
   *
   * @param again delivers to it if there is no memory for that here
   */
  public final void fail(Throwable thrown, Deliverer again) {
    if (publish(null, thrown)) {
      deliver(again);
    }
  }

  /**
   * Settles it: threads that wait for it see the answer. Runs no user code.
   *
   * @return false if it was settled before
   */
  public final boolean publish(@Nullable R answer, @Nullable Throwable thrown) {
    return publish(answer, thrown, null);
  }

  /**
   * Settles it as {@link #publish(Object, Throwable)} does.
   *
   * @param first what has to have happened before any thread sees the answer
   */
  public final boolean publish(
      @Nullable R answer, @Nullable Throwable thrown, @Nullable Runnable first) {
    if (!settle()) {
      return false;
    }
    value = answer;
    error = thrown;
    ended = true;
    try {
      if (first != null) {
        first.run();
      }
      published(answer, thrown);
    } catch (Throwable noMemory) { // delivering makes up for it; the other members must have theirs
      return true;
    }
    return true;
  }

  /**
   * Has it receive what was published; nothing if it was left. What its receiver throws is logged.
   *
   * @param again delivers to it if there is no memory for that here, and no user code has run
   */
  public final void deliver(Deliverer again) {
    try {
      run();
    } catch (VirtualMachineError noMemory) { // or no stack
      again.deliver(this);
    }
  }

  @Override
  protected final void run() {
    if (!ended) {
      return;
    }
    try {
      Throwable thrown = error;
      if (thrown == null) {
        onValue(value());
      } else {
        onError(thrown);
      }
    } catch (VirtualMachineError noMemory) {
      logOrThrow(noMemory);
    } catch (Throwable thrown) { // it is settled: this concerns no other member
      logFailed(thrown);
    }
  }

  private void logOrThrow(VirtualMachineError noMemory) {
    if (runsAgain()) {
      throw noMemory; // it is tried again
    }
    logFailed(noMemory);
  }

  /**
   * Has it receive what was published, on another thread; nothing if it runs no user code. Takes no
   * memory.
   */
  public final void deliverApart(Deliverer deliverer) {
    if (ended && runsUserCode()) {
      deliverer.deliver(this);
    }
  }

  /**
   * Has it receive what was published, on this thread if nothing of the user's hangs on it by now,
   * else on another thread; nothing if it runs no user code.
   */
  final void deliverHereOrApart(Deliverer deliverer) {
    if (ended && runsUserCode()) {
      if (isBare()) {
        deliver(deliverer);
      } else {
        deliverer.deliver(this);
      }
    }
  }

  @SuppressWarnings("NullAway") // whether null is one of its values is for R to say
  private R value() {
    return value;
  }

  private boolean settle() {
    return !settled && SETTLED.compareAndSet(this, false, true);
  }

  /** It is settled: wakes threads that wait for it. Must run no user code, nor wait, nor throw. */
  protected void published(@Nullable R answer, @Nullable Throwable thrown) {}

  /** Whether delivering to it runs user code, or may. */
  protected boolean runsUserCode() {
    return true;
  }

  /** Whether nothing of the user's would run if it was delivered to now. */
  protected boolean isBare() {
    return false;
  }

  /**
   * How the batch ended that is about to settle it: for {@link #published} only. Null if there is
   * none that started.
   */
  protected final @Nullable Outcome<?> batchOutcome() {
    Place<R> waits = place;
    return waits == null ? null : waits.outcome();
  }

  /** The part of a started batch that is to answer it; null if there is none yet. */
  public final @Nullable Object waitsFor() {
    return place instanceof Slot<?, R> slot ? slot.part() : null;
  }

  /** Whether the work has begun that is to answer it. */
  public final boolean workBegan() {
    Place<R> waits = place;
    return waits != null && waits.workBegan();
  }

  /**
   * Brings it to a place that is not in a batch. It may have left before: the thread that brings it
   * looks at {@link #isSettled} when it is there.
   */
  public final void waitAt(Place<R> brought) {
    place = brought;
  }

  private static void logFailed(Throwable thrown) {
    try {
      LOG.warn("the receiver of a batch's member failed", thrown);
    } catch (Throwable loggers) { // no memory, no stack: there is nothing left to do
      return;
    }
  }

  /** It is settled: a future that is kept must not keep all that it waited with. */
  public final void forget() {
    next = null;
    place = null;
  }

  // By its slot, under the batch's lock.

  /** Whether it counts from now on: not if it has left while it was joining. */
  boolean stand(Slot<?, R> slot, @Nullable Member<R> before) {
    place = slot;
    next = before;
    counted = !settled;
    return counted;
  }

  /** Whether it counted until now. */
  boolean uncount() {
    boolean before = counted;
    counted = false;
    return before;
  }

  // By the one thread that answers its part.

  @Nullable Member<R> next() {
    return next;
  }
}
