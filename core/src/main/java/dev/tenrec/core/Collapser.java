// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.batch.BatchDoor;
import dev.tenrec.core.internal.batch.OutcomeMember;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.internal.door.MemberFuture;
import dev.tenrec.core.internal.door.NotifyingMember;
import dev.tenrec.core.internal.door.RxMaybe;
import dev.tenrec.core.internal.door.RxMember;
import dev.tenrec.core.internal.door.RxSingle;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Calls for one thing each that become a batch: all that come within a short window are one call of
 * the batch function, and each gets its own answer. Built once, called often; thread-safe.
 *
 * <p>A batch starts when its window ends ({@code timerDelayInMilliseconds} after its first member),
 * or as soon as it has {@code maxRequestsInBatch} different arguments. Equal arguments (by {@code
 * equals}) of one batch are asked for once, and all members that asked get the answer. The answer
 * is forgotten with the batch; a {@link CollapserBuilder#cacheKey} remembers it for a request. The
 * batch runs as a command of the collapser's key, or of its {@linkplain CollapserBuilder#batchKey
 * batch key}, isolated, timed and tripped as the builder says. A fallback may answer all of it. Its
 * exception, time-out or rejection reaches each member.
 *
 * <p>A member waits for its window, then for a thread that starts the batch (at most the time-out),
 * then for the batch (at most the time-out again). If the batch is over and a member still has no
 * answer, because the map of answers blocks, it ends as timed out. A member cancelled before the
 * start is taken out, and its argument with it unless other members ask for an equal one; if all
 * members are cancelled, nothing runs. Later cancellations leave the batch as it is.
 *
 * <p>Batches start in the command's share of Tenrec's callback threads, whichever thread has
 * noticed that it is time. With a pool or virtual threads they only pass through. On a semaphore
 * they run there, and keep a thread of it for as long as they take; their members wait for the
 * time-out at the most, and for the fallback, which runs on another thread then. If there is no
 * room the members get a {@link dev.tenrec.core.outcome.CommandRejectedException}. A batch of
 * several requests runs without the context (MDC and the like) of any of its members, because most
 * of them would see a stranger's.
 *
 * @param <A> what it is called with
 * @param <R> what it answers
 */
public final class Collapser<A extends @Nullable Object, R extends @Nullable Object> {

  private final BatchDoor<A, R> door;
  private final CollapserDetails view;
  private final CommandDetails batchView;

  Collapser(BatchDoor<A, R> door, CollapserDetails view, CommandDetails batchView) {
    this.door = door;
    this.view = view;
    this.batchView = batchView;
  }

  /** The key it was built with. */
  public String key() {
    return door.key();
  }

  /**
   * Joins a batch and waits for this member's answer.
   *
   * <p>If there is none, throws what kept it, as {@link Command#execute} does: what kept the batch;
   * the error this argument failed with alone ({@link dev.tenrec.core.work.BatchResult#failed}); a
   * {@link dev.tenrec.core.outcome.MissingAnswerException}. A caller interrupted while it waits
   * leaves the batch, keeps its interrupt flag, and gets a {@link
   * dev.tenrec.core.outcome.CommandInterruptedException}. If the Tenrec is closed while the batch
   * waits for its start, a {@link java.util.concurrent.CancellationException}.
   *
   * @param argument handed to the batch function; may be null; its {@code equals} and {@code
   *     hashCode} decide whether another member asks for an equal argument. They are called on this
   *     thread, under no lock; what they throw, this throws, and it concerns no other member
   * @return the answer, which may be null
   */
  public R execute(A argument) {
    return door.execute(argument);
  }

  /**
   * Joins a batch, waits, and reports all about it. Throws nothing. The events, and the latency of
   * the work, are those of the batch; {@code COLLAPSED} is among them, and {@code
   * RESPONSE_FROM_CACHE} if the answer was another call's.
   *
   * @param argument as for {@link #execute(Object)}
   */
  public Outcome<R> attempt(A argument) {
    return door.attempt(argument);
  }

  /**
   * Joins a batch without waiting. Never throws; what {@code execute} would throw, unwrapped,
   * completes the future.
   *
   * <p>The future is this member's own: cancelling it, or completing it from outside, leaves the
   * batch. {@code get}, {@code join}, {@code isDone} and their like see the answers of all members
   * before anything that hangs on one of them runs; that is in the command's share of the callback
   * threads.
   *
   * @param argument as for {@link #execute(Object)}
   */
  public CompletableFuture<R> executeAsync(A argument) {
    return joined(argument, new MemberFuture.OfAnswer<>());
  }

  /**
   * Joins a batch as {@link #executeAsync} does, and reports all about it as {@link #attempt} does:
   * the future is completed with an outcome, whatever the ending was, and never fails. Only its own
   * cancelling, or a completion from outside, puts something else in that place, and leaves the
   * batch.
   *
   * @param argument as for {@link #execute(Object)}
   */
  public CompletableFuture<Outcome<R>> attemptAsync(A argument) {
    return joined(argument, new MemberFuture.OfOutcome<>(door));
  }

  private <T extends @Nullable Object> CompletableFuture<T> joined(
      A argument, MemberFuture<R, T> future) {
    join(argument, future.member());
    return future;
  }

  /**
   * A cold single: each subscription is a member, each disposal leaves. A null answer is an error
   * there, {@link #toMaybe} takes it.
   *
   * @param argument as for {@link #execute(Object)}
   */
  public Single<R> toSingle(A argument) {
    return new RxSingle<>(
        key(), observer -> new RxMember<>(door, argument, new NotifyingMember<>(observer)));
  }

  /**
   * As {@link #toSingle}, with all about each member's ending in place of its answer, as {@link
   * #attempt} reports it: so a null answer is none of its errors, and there are no others.
   *
   * @param argument as for {@link #execute(Object)}
   */
  public Single<Outcome<R>> attemptSingle(A argument) {
    return new RxSingle<>(
        key(),
        observer ->
            new RxMember<>(
                door,
                argument,
                new OutcomeMember<>(door) {

                  /** Written by the disposing thread, read by the one that delivers. */
                  private volatile boolean dismissed;

                  @Override
                  public void dismiss() {
                    dismissed = true;
                    super.dismiss();
                  }

                  @Override
                  protected void onOutcome(Outcome<R> outcome) {
                    if (!dismissed) {
                      observer.onValue(outcome);
                    }
                  }
                }));
  }

  /**
   * As {@link #toSingle}; completes empty on a null answer.
   *
   * @param argument as for {@link #execute(Object)}
   */
  public Maybe<R> toMaybe(A argument) {
    return new RxMaybe<>(
        observer -> new RxMember<>(door, argument, new NotifyingMember<>(observer)));
  }

  /**
   * Joins a batch and reports this member's ending to the receiver: what other doors are built on.
   *
   * @param argument as for {@link #execute(Object)}
   * @param receiver is called once, unless the returned handle is disposed before
   * @return leaves the batch when disposed
   */
  public Disposable execute(A argument, Receiver<? super R> receiver) {
    Member<R> member = new NotifyingMember<>(Objects.requireNonNull(receiver, "receiver"));
    join(argument, member);
    return Disposable.fromRunnable(member::dismiss);
  }

  /**
   * The next call with this key in this thread's request asks anew. Those that share an answer that
   * is still to come go on sharing it.
   *
   * @param cacheKey what {@link CollapserBuilder#cacheKey} made of the argument
   * @throws IllegalStateException if this thread is at no open request, or the collapser has no
   *     cache key
   */
  public void clearCache(Object cacheKey) {
    door.clearCache(Objects.requireNonNull(cacheKey, "cacheKey"));
  }

  /** Joins with a member of any kind. */
  void join(A argument, Member<R> member) {
    door.enter(argument, member);
  }

  /**
   * Closes the circuit of its batch command, as {@link Command#closeCircuit} does.
   *
   * @param why what the journal says
   * @return whether it was open or half-open
   */
  public boolean closeCircuit(String why) {
    return door.runtime().command().closeCircuit(Objects.requireNonNull(why, "why"));
  }

  /**
   * The rolling windows of its metrics and of its batch command's begin now, as those of {@link
   * Command#resetMetrics}.
   */
  public void resetMetrics() {
    door.runtime().resetMetrics();
    door.runtime().command().resetMetrics();
  }

  /**
   * Whether its key was removed ({@link Tenrec#remove}), or its Tenrec closed: every call that
   * begins from now on is rejected. A removed key may be built anew.
   */
  public boolean isClosed() {
    return door.runtime().isClosed();
  }

  /** Its batches, members and batch sizes, live. */
  public CollapserDetails view() {
    return view;
  }

  /** Counts, latencies and circuit of the command its batches run as, live. */
  public CommandDetails batchView() {
    return batchView;
  }

  @Override
  public String toString() {
    return "Collapser " + key();
  }
}
