// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.core.Command
import dev.tenrec.core.Tenrec
import dev.tenrec.core.view.CommandDetails
import dev.tenrec.kotlin.internal.Answer
import dev.tenrec.kotlin.internal.SuspendCall
import dev.tenrec.kotlin.internal.reported
import dev.tenrec.kotlin.internal.withoutJob
import kotlin.coroutines.coroutineContext
import kotlinx.coroutines.ensureActive

/**
 * A command whose work suspends. Built once by [suspendCommand], called often; thread-safe.
 *
 * While a call is under way its caller's coroutine is suspended, and no thread waits. The work is a
 * coroutine of its own in the caller's context: it has the caller's dispatcher, and a job that ends
 * with the call. A caller that is cancelled cancels it, as does the time-out; work that does not heed
 * that keeps its permit until it ends.
 *
 * @param A what it is called with
 * @param R what it returns
 */
public sealed interface SuspendCommand<A, R> {

  /** The key it was built with. */
  public val key: String

  /**
   * Whether its key was removed, or its Tenrec closed: every call that begins from now on is
   * rejected.
   */
  public val isClosed: Boolean

  /**
   * The answer, of the work or of the fallback. The fallback runs in the caller's coroutine, after
   * the call has ended. It has no time-out and holds no permit. But it runs only if one of
   * `fallbackLimit` is free at the moment it is chosen, and after a time-out a callback thread as
   * well. A failed fallback is still counted as an answer.
   *
   * @throws Throwable what the work threw, as it is; or one of Tenrec's, such as
   *   [dev.tenrec.core.outcome.CommandTimeoutException]. A fallback that fails is answered for by
   *   the exception it was called with
   */
  public suspend operator fun invoke(argument: A): R

  /** Its counts, latencies and circuit, live. */
  public fun view(): CommandDetails
}

private class GuardedSuspension<A, R>(
    private val command: Command<SuspendCall<A>, Answer<R>>,
    private val fallback: (suspend (A, Throwable) -> R)?,
) : SuspendCommand<A, R> {

  override val key: String
    get() = command.key()

  override val isClosed: Boolean
    get() = command.isClosed

  override suspend operator fun invoke(argument: A): R {
    val call = SuspendCall(argument, coroutineContext.withoutJob())
    return when (val answer = command.await(call)) {
      is Answer.Value -> answer.value
      is Answer.Missing -> substitute(argument, answer.cause)
    }
  }

  private suspend fun substitute(argument: A, cause: Throwable): R {
    val substitute = fallback ?: throw reported(key, cause)
    return try {
      substitute(argument, cause)
    } catch (e: Throwable) { // errors too, as in the engine: the caller is owed its first cause
      coroutineContext.ensureActive() // its caller may have been cancelled meanwhile
      throw reported(key, cause)
    }
  }

  override fun view(): CommandDetails = command.view()

  override fun toString(): String = "SuspendCommand $key"
}

/** Hidden from Java: its parameters are internal. */
@JvmSynthetic
internal fun <A, R> suspendCommandOf(
    command: Command<SuspendCall<A>, Answer<R>>,
    fallback: (suspend (A, Throwable) -> R)?,
): SuspendCommand<A, R> = GuardedSuspension(command, fallback)

/**
 * A command whose work suspends:
 * ```
 * val quote = tenrec.suspendCommand<Sku, Quote>("GetQuote") {
 *   options { timeout(Duration.ofMillis(300)) }
 *   work { sku -> pricing.quote(sku) }
 *   fallback { sku, cause -> Quote.unknown(sku) }
 * }
 * ```
 *
 * Its isolation is a semaphore of 10 unless the options say otherwise.
 *
 * @param describe says its work, and what else is to be said
 * @throws IllegalStateException if it describes no work, or as
 *   [dev.tenrec.core.CommandBuilder.build] does
 * @throws IllegalArgumentException if a setting breaks a rule
 */
public fun <A, R> Tenrec.suspendCommand(
    key: String,
    describe: SuspendCommandScope<A, R>.() -> Unit,
): SuspendCommand<A, R> = SuspendCommandScope<A, R>().apply(describe).build(this, key)
