// SPDX-License-Identifier: Apache-2.0
@file:JvmName("Requests")

package dev.tenrec.kotlin

import dev.tenrec.core.RequestContext
import dev.tenrec.core.context.ContextPropagator
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.ThreadContextElement

/**
 * Takes a request along with a coroutine, on whichever threads it runs: `withContext(
 * request.asContextElement()) { .. }`. It does not close the request.
 */
public fun RequestContext.asContextElement(): ThreadContextElement<*> = RequestElement(this)

private class RequestElement(private val request: RequestContext) :
    AbstractCoroutineContextElement(Key), ThreadContextElement<ContextPropagator.Scope> {

  override fun updateThreadContext(context: CoroutineContext): ContextPropagator.Scope =
      request.enter()

  override fun restoreThreadContext(
      context: CoroutineContext,
      oldState: ContextPropagator.Scope,
  ) {
    oldState.close()
  }

  companion object Key : CoroutineContext.Key<RequestElement>
}
