// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.SettingChange;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every step of every call of one Tenrec: commands, guards, streams, and the batches of
 * collapsers. Registered on its builder; implement what is of interest. Thread-safe: calls run at
 * the same time.
 *
 * <p>The order of one call's steps, by how it ends; those in brackets only where work runs on a
 * thread of Tenrec's, a pool's or a virtual one:
 *
 * <ul>
 *   <li>The work answers: start, [thread start], work start, work success, [thread end], success.
 *   <li>It fails: start, [thread start], work start, work error, [thread end], then the
 *       <i>rest</i>. If that was the caller's fault (a bad request), the rest is an error.
 *   <li>It fails and is attempted again: start, [thread start], work start, work error, [thread
 *       end], then for each further attempt an attempt and its steps from [thread start] on. Of an
 *       attempt that came to a time-out of its own there is no work error, and its thread end may
 *       come at any later time.
 *   <li>It is hedged: as above, with a hedge before the steps of each further attempt. The steps of
 *       attempts that are under way at the same time overlap; of those that another one has outrun,
 *       only the thread end is reported.
 *   <li>It is refused, by an open circuit, a rate limiter, a pool or a semaphore, or times out
 *       before its work began: start, then the rest.
 *   <li>It times out during its work: start, [thread start], work start, then the rest; no word of
 *       how the work ends, unless that is being reported when the deadline comes.
 *   <li>It is cancelled, or its waiting caller interrupted: start, what came until then, cancel.
 *   <li>The rest: an error, if no fallback may run; else fallback start, then fallback success and
 *       success, or fallback error and error. A fallback that is missing, disabled or refused has
 *       not started; one that says so itself, by a {@link
 *       dev.tenrec.core.outcome.MissingFallbackException}, has a start and no error of its own.
 *   <li>A call that shares another's run by the request cache: a cache hit, then its end and
 *       nothing else. The run shows as one call, with the steps above.
 *   <li>A stream: the steps above, with an emit for each item between work start and work success,
 *       with a fallback emit for each item between fallback start and fallback success. The values
 *       of work success, fallback success and success are null then.
 *   <li>Work that returns a stage leaves its thread when it has returned it: thread end comes
 *       before work success or work error then.
 * </ul>
 *
 * <p>Each start gets exactly one of success, error and cancel, each thread start its thread end, on
 * that thread. That ending is the last step, with one exception: a thread that is still busy with a
 * call that timed out or was cancelled has its end reported when the work really stops, before or
 * after the ending. Where a time-out comes while the work begins, the fallback's steps may overlap
 * with the work's start; the items of a stream may come while its thread's end is reported. All
 * else is in order. A call that its caller gives up before it has begun is not reported at all.
 *
 * <p><b>Up to the work's end and the fallback's start</b>, a step is reported on the thread it
 * happens on, and the call waits for the listener. Where the call times out, is cancelled or closed
 * over meanwhile, neither its answer nor the thread that cancels waits; the ending is reported once
 * all listeners have heard of the step they are at. What would have begun meanwhile, the work, the
 * fallback or an item, is not reported.
 *
 * <p><b>The ending</b>, which is success, error or cancel, and before it the fallback's success or
 * error, is reported after the answer is there, on the command's share of the callback threads (see
 * {@code TenrecBuilder.callbacks}). No caller waits for it: {@code execute} may return and a future
 * complete before. One that blocks holds up no answer and no other command, but at last the other
 * endings of its own command, which wait for these threads in memory; none is left out. Endings of
 * different calls come at the same time and in any order.
 *
 * <p>Each step comes with the caller's context (its request, MDC, propagators), never on the
 * timer's thread. Several listeners are called in the order of their registration, all of them for
 * one step before any for the next.
 *
 * <p>Listeners observe. What one throws changes nothing, and the other listeners are called still;
 * it is logged, once for each listener and method. An interrupt that it swallows is put back. One
 * that blocks before the ending holds up the call, and at the start of work or fallback their
 * permits as well: it should be quick, because the deadline does not wait for it. It may execute
 * commands, and is called for these as well.
 */
public interface CommandListener {

  /** A call begins, before anything is asked. On the caller's thread. */
  default void onStart(ListenedCall call) {}

  /** Its work has come to a thread of Tenrec's. On that thread. */
  default void onThreadStart(ListenedCall call) {}

  /** Its work is about to run. On the thread it runs on. */
  default void onWorkStart(ListenedCall call) {}

  /**
   * A further attempt at its work is about to pass the gates: the one before has failed, and its
   * thread has ended; or it has come to its own time-out, and its thread may still be at work. Work
   * start follows if the gates let it through, and else the next attempt or the ending. On the
   * caller's thread if the caller waits, else in the command's share of the callback threads.
   *
   * @param attempt which, from 2 on
   * @param failure why the one before failed
   */
  default void onAttempt(ListenedCall call, int attempt, Throwable failure) {}

  /**
   * A further attempt at its work is about to pass the gates beside those that are under way: a
   * hedge. Its [thread start] and work start follow, if the gates let it through. In the command's
   * share of the callback threads.
   *
   * @param attempt which, from 2 on
   */
  default void onHedge(ListenedCall call, int attempt) {}

  /**
   * A stream's work has an item for its subscriber, which gets it after the listeners, unless the
   * stream has ended by then. The limit for the item goes on meanwhile.
   *
   * @param item what it is
   */
  default void onEmit(ListenedCall call, @Nullable Object item) {}

  /**
   * Its work has answered in time. On the work's thread, or the one that ended its stage.
   *
   * @param value with what; null, too, for a stream
   */
  default void onWorkSuccess(ListenedCall call, @Nullable Object value) {}

  /**
   * Its work has failed in time, or its result counts as a failure.
   *
   * @param error what it threw
   */
  default void onWorkError(ListenedCall call, Throwable error) {}

  /** Its work has left the thread. On that thread. */
  default void onThreadEnd(ListenedCall call) {}

  /**
   * Its fallback is about to run. On the thread it runs on; of a value that answers what the timer
   * has found, where no listener may run, with the ending.
   *
   * @param cause why
   */
  default void onFallbackStart(ListenedCall call, Throwable cause) {}

  /**
   * A stream's fallback has an item for its subscriber, which gets it after the listeners, unless
   * the stream has ended by then.
   *
   * @param item what it is
   */
  default void onFallbackEmit(ListenedCall call, @Nullable Object item) {}

  /**
   * Its fallback has answered.
   *
   * @param value with what; null, too, for a stream
   */
  default void onFallbackSuccess(ListenedCall call, @Nullable Object value) {}

  /**
   * Its fallback has failed.
   *
   * @param error what it threw
   */
  default void onFallbackError(ListenedCall call, Throwable error) {}

  /**
   * An ending: there is an answer, the work's or the fallback's, and its caller has it.
   *
   * @param value which; null, too, for a stream
   */
  default void onSuccess(ListenedCall call, @Nullable Object value) {}

  /**
   * An ending: there is none.
   *
   * @param error why the work did not answer, though it was the fallback that failed last
   */
  default void onError(ListenedCall call, Throwable error) {}

  /**
   * An ending: no caller wants the answer.
   *
   * @param why a {@link java.util.concurrent.CancellationException}, or a {@link
   *     dev.tenrec.core.outcome.CommandInterruptedException} if the caller was interrupted
   */
  default void onCancel(ListenedCall call, Throwable why) {}

  /**
   * A call shares the run of an earlier one of its request, which may have ended. On the caller's
   * thread. A collapser's is reported when it has its answer, together with its end, in the share
   * of the batch command.
   */
  default void onCacheHit(ListenedCall call) {}

  /**
   * The end of a call that shares another's run, or of a collapser's that shares another's answer:
   * it has its answer, its error, or was given up. As an ending it is reported on the command's
   * share of the callback threads. {@link ListenedCall#events()} has those of the run it shared, of
   * a collapser the hit alone.
   *
   * @param value with what; null, too, if there is an error
   * @param error why there is no answer; null if there is one
   */
  default void onCacheHitEnd(
      ListenedCall call, @Nullable Object value, @Nullable Throwable error) {}

  /**
   * A circuit has changed its state. It belongs to no call, so it comes without any call's context.
   * Transitions come in the command's share of the callback threads, one at a time and in the order
   * of {@link Transition#number}. If a circuit makes more than 16 transitions at once, one may come
   * after its successor.
   *
   * @param commandKey the command whose circuit it is
   * @param transition from what to what, and why
   */
  default void onTransition(String commandKey, Transition transition) {}

  /**
   * A setting has another value now; the calls that begin from now on go by it. In the order of the
   * changes and one at a time, on the thread that brought the change, or on another that is
   * reporting at that moment: it should not wait, because later changes, which apply all the same,
   * wait to be reported.
   */
  default void onSettingChange(SettingChange change) {}
}
