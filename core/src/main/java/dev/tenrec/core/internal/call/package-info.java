// SPDX-License-Identifier: Apache-2.0
/**
 * One execution from the call to its single ending. Read {@link Pipeline} first.
 *
 * <p>The classes below know each other, in a circle that a test keeps from growing. What each is
 * for, in the order in which a call meets them:
 *
 * <ul>
 *   <li>{@link CommandRuntime} is one command while it runs: its settings, permits, metrics and
 *       breaker. {@link Engine} is what all commands of a Tenrec share.
 *   <li>{@link Pipeline} takes a call through its steps, from the gates to the start of its work.
 *   <li>{@link CallerPath} takes the same steps for work on its caller's own thread, without an
 *       object.
 *   <li>{@link AttemptEntry} is how attempts come in that are executions of their own.
 *   <li>{@link Execution} is the one object of every other call.
 *   <li>{@link TimeoutGuard} arms the timer where no other thread would find the deadline.
 *   <li>{@link WorkBody} runs the user's function, and {@link StageFollower} follows the stage that
 *       such a function returned.
 *   <li>{@link RunningStages} keeps what runs without a thread of ours, so that closing finds it.
 *   <li>{@link CallerWait} is the caller's wait for the answer, up to its deadline.
 *   <li>{@link Abandonment} gives an execution up at its deadline, by a cancellation or at close;
 *       {@link StagePermitTimeout} gives the permit of its stage back if that does not end.
 *   <li>{@link FallbackStarter} starts the fallback, and {@link FallbackTask} is a fallback that
 *       waits for a thread.
 *   <li>{@link Completion} settles, publishes and reports an ending that was claimed.
 *   <li>{@link OutcomeRecorder} counts it, and has the breaker look at the health; {@link
 *       ScheduledEvaluation} is such a look that the timer makes later.
 *   <li>{@link Listeners} runs users' listeners, {@link Errors} makes the exceptions of a call,
 *       {@link RequestCaching} is the way into the request cache, {@link LiveCommandView} is what
 *       an operator reads.
 * </ul>
 */
@NullMarked
package dev.tenrec.core.internal.call;

import org.jspecify.annotations.NullMarked;
