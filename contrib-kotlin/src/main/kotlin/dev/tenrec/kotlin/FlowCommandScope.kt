// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.core.CommandOptions
import dev.tenrec.core.Tenrec
import dev.tenrec.core.work.StreamFallback
import dev.tenrec.core.work.StreamWork
import dev.tenrec.kotlin.internal.SuspendCall
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.reactive.asPublisher

/** Describes one [FlowCommand]. Not thread-safe; the last call of a function counts. */
@CommandDsl
public class FlowCommandScope<A, R : Any> internal constructor() {

  private var work: ((A) -> Flow<R>)? = null
  private var fallback: ((A, Throwable) -> Flow<R>)? = null
  private val options = mutableListOf<CommandOptions<*>.() -> Unit>()

  /** The guarded work: makes the flow, once for each execution. Required. */
  public fun work(work: (A) -> Flow<R>) {
    this.work = work
  }

  /**
   * What goes on when the work does not; it is given the reason. Default: nothing, and the
   * collector gets the reason.
   */
  public fun fallback(fallback: (A, Throwable) -> Flow<R>) {
    this.fallback = fallback
  }

  /** Its group, time-out, isolation, circuit and so on, as for commands of Java. */
  public fun options(options: CommandOptions<*>.() -> Unit) {
    this.options += options
  }

  @JvmSynthetic
  internal fun build(tenrec: Tenrec, key: String): FlowCommand<A, R> {
    val guarded = checkNotNull(work) { "the command $key has no work: say work { .. }" }
    val starts =
        StreamWork<SuspendCall<A>, R> { call ->
          guarded(call.argument).asPublisher(call.context)
        }
    val builder = tenrec.streamCommand(key, starts)
    options.forEach { builder.it() }
    fallback?.let { substitute ->
      builder.fallback(
          StreamFallback { call, cause ->
            substitute(call.argument, cause).asPublisher(call.context)
          }
      )
    }
    return flowCommandOf(builder.build())
  }
}
