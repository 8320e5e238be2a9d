// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.core.StreamCommand
import dev.tenrec.core.Tenrec
import dev.tenrec.core.view.CommandDetails
import dev.tenrec.kotlin.internal.SuspendCall
import dev.tenrec.kotlin.internal.reporting
import dev.tenrec.kotlin.internal.withoutJob
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.reactive.asFlow

/**
 * A command whose work is a flow. Built once by [flowCommand], collected often; thread-safe.
 *
 * @param A what it is called with
 * @param R one item
 */
public sealed interface FlowCommand<A, R : Any> {

  /** The key it was built with. */
  public val key: String

  /**
   * Whether its key was removed, or its Tenrec closed: every collecting that begins from now on is
   * rejected.
   */
  public val isClosed: Boolean

  /**
   * A cold flow: each collecting is an execution, and its cancellation gives it up. The work's flow
   * is collected with the collector's dispatcher, and asked for as many items as the buffer of a
   * flow holds.
   */
  public operator fun invoke(argument: A): Flow<R>

  /** Its counts, latencies and circuit, live. */
  public fun view(): CommandDetails
}

private class GuardedFlow<A, R : Any>(private val command: StreamCommand<SuspendCall<A>, R>) :
    FlowCommand<A, R> {

  override val key: String
    get() = command.key()

  override val isClosed: Boolean
    get() = command.isClosed

  override operator fun invoke(argument: A): Flow<R> = flow {
    val call = SuspendCall(argument, currentCoroutineContext().withoutJob())
    emitAll(command.toFlowable(call).reporting(key).asFlow())
  }

  override fun view(): CommandDetails = command.view()

  override fun toString(): String = "FlowCommand $key"
}

/** Hidden from Java: its parameter is internal. */
@JvmSynthetic
internal fun <A, R : Any> flowCommandOf(
    command: StreamCommand<SuspendCall<A>, R>
): FlowCommand<A, R> = GuardedFlow(command)

/**
 * A command whose work is a flow. Its time-out is that of the first item.
 *
 * @param describe says its work, and what else is to be said
 * @throws IllegalStateException if it describes no work, or as
 *   [dev.tenrec.core.StreamCommandBuilder.build] does
 * @throws IllegalArgumentException if a setting breaks a rule
 */
public fun <A, R : Any> Tenrec.flowCommand(
    key: String,
    describe: FlowCommandScope<A, R>.() -> Unit,
): FlowCommand<A, R> = FlowCommandScope<A, R>().apply(describe).build(this, key)
