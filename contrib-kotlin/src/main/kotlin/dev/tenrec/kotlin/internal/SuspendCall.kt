// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin.internal

import dev.tenrec.core.outcome.Described
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.Job

/** An argument with its caller's coroutine context. */
internal class SuspendCall<out A>(val argument: A, val context: CoroutineContext) :
    Described.StandIn {

  /** Messages name the argument only. */
  override fun original(): Any? = argument
}

/** The answer of a command's work, or why there is none: then its caller runs the fallback. */
internal sealed interface Answer<out R> {

  class Value<out R>(val value: R) : Answer<R>

  class Missing(val cause: Throwable) : Answer<Nothing>
}

/** For another coroutine, which has to have a job of its own. */
internal fun CoroutineContext.withoutJob(): CoroutineContext = minusKey(Job)
