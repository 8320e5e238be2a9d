// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin.internal

import java.util.concurrent.CompletableFuture
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async

/**
 * A coroutine as the stage that a command follows. To cancel it cancels the coroutine; it ends when
 * the coroutine has ended, so work that does not heed its cancellation keeps its permit.
 */
internal class WorkStage<R>(private val coroutine: Deferred<R>) : CompletableFuture<R>() {

  init {
    coroutine.invokeOnCompletion { failure -> end(failure) }
  }

  @OptIn(ExperimentalCoroutinesApi::class) // it has completed
  private fun end(failure: Throwable?) {
    if (failure == null) complete(coroutine.getCompleted()) else completeExceptionally(failure)
  }

  override fun cancel(mayInterruptIfRunning: Boolean): Boolean {
    coroutine.cancel()
    return isCancelled
  }
}

/** Begins work in this context, which has no job, with one of its own. */
internal fun <R> CoroutineContext.begin(work: suspend () -> R): CompletableFuture<R> =
    WorkStage(CoroutineScope(this).async { work() })
