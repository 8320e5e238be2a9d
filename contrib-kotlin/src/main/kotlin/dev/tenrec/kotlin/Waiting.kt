// SPDX-License-Identifier: Apache-2.0
@file:JvmName("Waiting")

package dev.tenrec.kotlin

import dev.tenrec.core.Collapser
import dev.tenrec.core.Command
import dev.tenrec.core.StreamCommand
import dev.tenrec.core.outcome.Outcome
import dev.tenrec.core.outcome.Receiver
import dev.tenrec.kotlin.internal.reported
import dev.tenrec.kotlin.internal.reporting
import io.reactivex.rxjava3.disposables.Disposable
import kotlin.coroutines.coroutineContext
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.future.await
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Executes a command and suspends until there is an answer, of the work or of its fallback. A
 * cancelled coroutine gives the call up; one that is cancelled already executes nothing. Blocking
 * work needs a pool: on a semaphore it runs on this thread.
 *
 * @throws Throwable what the work threw, as it is, or one of Tenrec's; [IllegalStateException] if
 *   the call was cancelled by its Tenrec's closing, for that is no cancellation of the coroutine
 */
public suspend fun <A, R> Command<A, R>.await(argument: A): R =
    awaited(key()) { receiver -> execute(argument, receiver) }

/** As [await]; of a member of a batch. */
public suspend fun <A, R> Collapser<A, R>.await(argument: A): R =
    awaited(key()) { receiver -> execute(argument, receiver) }

/**
 * Executes a command and suspends until it has ended, however it has: see [Command.attempt]. A
 * cancelled coroutine gives the call up; one that is cancelled already executes nothing.
 */
public suspend fun <A, R> Command<A, R>.awaitOutcome(argument: A): Outcome<R> {
  coroutineContext.ensureActive()
  return attemptAsync(argument).await()
}

/** A cold flow: each collecting is an execution, and its cancellation gives it up. */
public fun <A, R : Any> StreamCommand<A, R>.asFlow(argument: A): Flow<R> =
    toFlowable(argument).reporting(key()).asFlow()

private suspend fun <R> awaited(key: String, begin: (Receiver<R>) -> Disposable): R {
  coroutineContext.ensureActive()
  return suspendCancellableCoroutine { waiting ->
    val execution = begin(Resuming(key, waiting))
    waiting.invokeOnCancellation { execution.dispose() }
  }
}

private class Resuming<R>(
    private val key: String,
    private val waiting: CancellableContinuation<R>,
) : Receiver<R> {

  override fun onValue(value: R) {
    waiting.resume(value)
  }

  override fun onError(error: Throwable) {
    waiting.resumeWithException(reported(key, error))
  }
}
