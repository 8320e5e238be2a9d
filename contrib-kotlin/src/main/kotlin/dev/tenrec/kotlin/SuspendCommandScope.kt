// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.core.CommandOptions
import dev.tenrec.core.Tenrec
import dev.tenrec.core.retry.Retry
import dev.tenrec.core.work.AsyncWork
import dev.tenrec.core.work.Fallback
import dev.tenrec.kotlin.internal.Answer
import dev.tenrec.kotlin.internal.SuspendCall
import dev.tenrec.kotlin.internal.begin

/** Describes one [SuspendCommand]. Not thread-safe; the last call of a function counts. */
@CommandDsl
public class SuspendCommandScope<A, R> internal constructor() {

  private var work: (suspend (A) -> R)? = null
  private var fallback: (suspend (A, Throwable) -> R)? = null
  private var retry: Retry? = null
  private val options = mutableListOf<CommandOptions<*>.() -> Unit>()

  /** The guarded work. Required. */
  public fun work(work: suspend (A) -> R) {
    this.work = work
  }

  /**
   * What answers when the work does not; it is given the reason. Default: nothing, and the caller
   * gets the reason.
   */
  public fun fallback(fallback: suspend (A, Throwable) -> R) {
    this.fallback = fallback
  }

  /** See [dev.tenrec.core.CommandBuilder.retry]. Default: no call is attempted again. */
  public fun retry(retry: Retry) {
    this.retry = retry
  }

  /** Its group, time-out, isolation, circuit and so on, as for commands of Java. */
  public fun options(options: CommandOptions<*>.() -> Unit) {
    this.options += options
  }

  @JvmSynthetic
  internal fun build(tenrec: Tenrec, key: String): SuspendCommand<A, R> {
    val guarded = checkNotNull(work) { "the command $key has no work: say work { .. }" }
    val starts =
        AsyncWork<SuspendCall<A>, Answer<R>> { call ->
          call.context.begin { Answer.Value(guarded(call.argument)) }
        }
    val builder = tenrec.asyncCommand(key, starts)
    options.forEach { builder.it() }
    retry?.let { builder.retry(it) }
    if (fallback != null) {
      builder.fallback(Fallback { _, cause -> Answer.Missing(cause) })
    }
    return suspendCommandOf(builder.build(), fallback)
  }
}
