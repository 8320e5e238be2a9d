// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.annotations.CacheKey
import dev.tenrec.annotations.CacheRemove
import dev.tenrec.annotations.CacheResult
import dev.tenrec.annotations.Command
import dev.tenrec.annotations.CommandProperty
import dev.tenrec.core.Tenrec
import dev.tenrec.core.config.IsolationStrategy
import dev.tenrec.core.outcome.CircuitOpenException
import dev.tenrec.core.outcome.CommandRejectedException
import dev.tenrec.core.outcome.CommandTimeoutException
import dev.tenrec.metrics.event.EventType
import dev.tenrec.metrics.time.ManualTime
import java.io.IOException
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.core.SpringVersion

/** Functions of Spring's beans that suspend, or return a Flow, as commands. */
class SuspendBeansTest {

  private val context = contextOf(Quotes::class.java)
  private val quotes = context.getBean(Quotes::class.java)
  private val tenrec = context.getBean(Tenrec::class.java)
  private val time = context.getBean(ManualTime::class.java)

  @AfterEach
  fun close() {
    context.close()
  }

  private fun count(method: String, event: EventType): Long =
      tenrec.details("Quotes.$method").count(event)

  @JvmInline value class Sku(val id: String)

  @Suppress("TooManyFunctions")
  internal open class Quotes {

    open val began = CompletableDeferred<Unit>()
    open val go = CompletableDeferred<Unit>()
    open val cancelled = CompletableDeferred<Throwable>()
    open val calls = AtomicInteger()

    @Command open suspend fun plain(sku: String): String = "$sku at 5"

    @Command open suspend fun nothing(): String? = null

    @Command
    open suspend fun unit() {
      yield()
      calls.incrementAndGet()
    }

    @Command
    open suspend fun waits(): String {
      began.complete(Unit)
      go.await()
      return Thread.currentThread().name + " " + currentCoroutineContext()[CoroutineName]?.name
    }

    private suspend fun forEver(): Nothing =
        try {
          began.complete(Unit)
          awaitCancellation()
        } catch (e: CancellationException) {
          cancelled.complete(e)
          throw e
        }

    @Command(timeout = "none") open suspend fun endless(): String = forEver()

    @Command(timeout = "50ms") open suspend fun late(): String = forEver()

    @Command open suspend fun failing(): String = throw IOException("down")

    @Command(
        commandProperties =
            [CommandProperty(name = "execution.isolation.semaphore.maxConcurrentRequests", value = "1")]
    )
    open suspend fun narrow(): String {
      began.complete(Unit)
      go.await()
      return "done"
    }

    @Command open suspend fun impatient(): String = withTimeout(1) { awaitCancellation() }

    @Command(isolation = [IsolationStrategy.THREAD])
    open suspend fun onPool(): String {
      yield()
      return "done"
    }

    @Command(fallbackMethod = "recovered", timeout = "50ms")
    open suspend fun recovering(sku: String): String = if (sku == "late") forEver() else error(sku)

    private suspend fun recovered(sku: String, cause: CommandTimeoutException): String {
      yield()
      return "$sku was late: ${cause.commandKey()}"
    }

    private suspend fun recovered(sku: String, cause: Throwable): String {
      yield()
      return "$sku failed: ${cause.message}"
    }

    @Command(fallbackMethod = "atOnce")
    open suspend fun plainly(sku: String): String = throw IOException(sku)

    private fun atOnce(sku: String, cause: Throwable): String = "$sku by ${cause.javaClass.simpleName}"

    @Command(fallbackMethod = "nothingDone")
    open suspend fun unitly(): Unit = throw IOException("down")

    private fun nothingDone() {
      calls.incrementAndGet()
    }

    @Command(defaultFallback = "anything")
    open suspend fun byDefault(sku: String): String = throw IOException(sku)

    private suspend fun anything(): String {
      yield()
      return "anything"
    }

    @Command(fallbackMethod = "failingToo")
    open suspend fun twice(): String = throw IOException("first")

    private suspend fun failingToo(): String {
      yield()
      throw IllegalStateException("second")
    }

    @Command(fallbackMethod = "endlessToo")
    open suspend fun stuck(): String = throw IOException("down")

    private suspend fun endlessToo(): String = forEver()

    @Command(fallbackMethod = "chained")
    open suspend fun chain(sku: String): String = throw IOException(sku)

    @Command open suspend fun chained(sku: String): String = "$sku by another command"

    @Command(fallbackMethod = "byValue")
    open suspend fun ofValue(sku: Sku): String = throw IOException(sku.id)

    private suspend fun byValue(sku: Sku, cause: Throwable): String {
      yield()
      return "${sku.id} for ${cause.message}"
    }

    @Command open suspend fun valued(id: String): Sku = Sku(id)

    @Command(fallbackMethod = "otherValue")
    open suspend fun valuedByFallback(id: String): Sku = throw IOException(id)

    private suspend fun otherValue(id: String): Sku {
      yield()
      return Sku("other than $id")
    }

    @Command(fallbackMethod = "byInternal")
    open fun blocking(sku: String): String = throw IOException(sku)

    internal fun byInternal(sku: String, cause: Throwable): String = "$sku, ${cause.message}"

    @Command @CacheResult open suspend fun cached(@CacheKey sku: String): Int = calls.incrementAndGet()

    @CacheRemove(commandKey = "cached") open suspend fun changed(@CacheKey sku: String) = yield()

    @Command
    @CacheRemove(commandKey = "cached")
    open fun changes(@CacheKey sku: String): Flow<String> = flowOf(sku, sku)

    @Command
    @CacheRemove(commandKey = "cached")
    open fun failingChanges(@CacheKey sku: String): Flow<String> = flow {
      emit(sku)
      throw IOException("down")
    }

    @CacheRemove(commandKey = "cached")
    open fun plainChanges(@CacheKey sku: String): Flow<String> = flowOf(sku, sku)

    @CacheRemove(commandKey = "cached")
    open suspend fun awaitedChanges(@CacheKey sku: String): Flow<String> {
      yield()
      return flowOf(sku, sku)
    }

    @Command(commandKey = "Keyed-#{#sku}") open suspend fun keyed(sku: String): String = sku

    @Command
    open fun items(): Flow<String> = flow {
      emit("${currentCoroutineContext()[CoroutineName]?.name}")
      emit(Thread.currentThread().name)
    }

    @Command(timeout = "50ms", fallbackMethod = "otherItems")
    open fun lateItems(): Flow<String> = flow { emit(forEver()) }

    private fun otherItems(cause: Throwable): Flow<String> = flowOf("other", cause.javaClass.simpleName)

    @Command(timeout = "none")
    open fun endlessItems(): Flow<String> = flow {
      emit("one")
      forEver()
    }

    @Command
    open suspend fun awaitedItems(): Flow<String> {
      yield()
      return flowOf("a", "b")
    }

    @Command(fallbackMethod = "awaitedOthers")
    open suspend fun failingItems(): Flow<String> = throw IOException("down")

    private suspend fun awaitedOthers(): Flow<String> {
      yield()
      return flowOf("c")
    }
  }

  @Test
  fun spring_always_isTheOneOfThisModule() {
    val expected = System.getProperty("tenrec.test.spring", "6")

    assertThat(SpringVersion.getVersion()).startsWith("$expected.")
  }

  @Test
  fun suspending_answers_asACommand() = runBlocking<Unit> {
    assertThat(quotes.plain("1-3")).isEqualTo("1-3 at 5")
    assertThat(quotes.nothing()).isNull()
    quotes.unit()

    assertThat(quotes.calls.get()).isEqualTo(1)
    assertThat(count("plain", EventType.SUCCESS)).isEqualTo(1)
    assertThat(count("unit", EventType.SUCCESS)).isEqualTo(1)
  }

  @Test
  fun suspending_waits_withoutAThreadAndWithItsCallersContext() {
    val thread = Thread.currentThread().name
    runBlocking(CoroutineName("caller")) { // one thread: if the call blocked it, none would go on
      launch {
        quotes.began.await()
        quotes.go.complete(Unit)
      }

      assertThat(quotes.waits()).startsWith(thread).endsWith("caller")
    }
  }

  @Test
  fun callerIsCancelled_theWorkIsAndThePermitIsBack() {
    runBlocking {
      val caller = launch { quotes.endless() }
      quotes.began.await()
      caller.cancelAndJoin()

      assertThat(quotes.cancelled.await()).isInstanceOf(CancellationException::class.java)
    }
    await().untilAsserted { assertThat(count("endless", EventType.CANCELLED)).isEqualTo(1) }
    assertThat(count("endless", EventType.FAILURE)).isZero()
  }

  @Test
  fun timeOut_cancelsTheWork_andIsNoCancellationOfTheCaller() {
    runBlocking {
      val thrown =
          time.passesAt(quotes.began) { runCatching { quotes.late() }.exceptionOrNull() }

      assertThat(thrown).isInstanceOf(CommandTimeoutException::class.java)
      assertThat(quotes.cancelled.await()).isInstanceOf(CancellationException::class.java)
    }
    assertThat(count("late", EventType.TIMEOUT)).isEqualTo(1)
  }

  @Test
  fun workFails_theCallerGetsItsException() = runBlocking<Unit> {
    val thrown = runCatching { quotes.failing() }.exceptionOrNull()

    assertThat(thrown).isInstanceOf(IOException::class.java).hasMessage("down")
    assertThat(count("failing", EventType.FAILURE)).isEqualTo(1)
  }

  @Test
  fun workHasATimeOutOfItsOwn_isAFailure() = runBlocking<Unit> {
    val thrown = runCatching { quotes.impatient() }.exceptionOrNull()

    assertThat(thrown).isInstanceOf(CancellationException::class.java)
    assertThat(count("impatient", EventType.FAILURE)).isEqualTo(1)
  }

  @Test
  fun permitsAreOut_theNextIsRejected() = runBlocking<Unit> {
    val first = launch { quotes.narrow() }
    quotes.began.await()
    val thrown = runCatching { quotes.narrow() }.exceptionOrNull()
    quotes.go.complete(Unit)
    first.join()

    assertThat(thrown).isInstanceOf(CommandRejectedException::class.java)
  }

  @Test
  fun circuitIsOpen_theWorkIsNotAsked() = runBlocking<Unit> {
    tenrec.set("tenrec.command.Quotes.unit.circuitBreaker.forceOpen", "true")

    val thrown = runCatching { quotes.unit() }.exceptionOrNull()

    assertThat(thrown).isInstanceOf(CircuitOpenException::class.java)
    assertThat(quotes.calls.get()).isZero()
  }

  @Test
  fun onAPool_answers() = runBlocking<Unit> { assertThat(quotes.onPool()).isEqualTo("done") }

  @Test
  fun fallbackSuspends_theMostSpecificAnswers() = runBlocking<Unit> {
    assertThat(time.passesAt(quotes.began) { quotes.recovering("late") })
        .isEqualTo("late was late: Quotes.recovering")
    assertThat(quotes.recovering("bad")).isEqualTo("bad failed: bad")
    assertThat(count("recovering", EventType.FALLBACK_SUCCESS)).isEqualTo(2)
  }

  @Test
  fun fallbackDoesNotSuspend_answers() = runBlocking<Unit> {
    assertThat(quotes.plainly("1-3")).isEqualTo("1-3 by IOException")
    quotes.unitly()

    assertThat(quotes.calls.get()).isEqualTo(1)
  }

  @Test
  fun defaultFallbackSuspends_answers() = runBlocking<Unit> {
    assertThat(quotes.byDefault("1-3")).isEqualTo("anything")
  }

  @Test
  fun fallbackFails_theCallerGetsTheFirstCause() = runBlocking<Unit> {
    val thrown = runCatching { quotes.twice() }.exceptionOrNull()

    assertThat(thrown).isInstanceOf(IOException::class.java).hasMessage("first")
  }

  @Test
  fun callerIsCancelled_itsFallbackIs() = runBlocking<Unit> {
    val caller = launch { quotes.stuck() }
    quotes.began.await()
    caller.cancelAndJoin()

    assertThat(quotes.cancelled.await()).isInstanceOf(CancellationException::class.java)
  }

  @Test
  fun fallbackIsACommand_goesByTheProxy() = runBlocking<Unit> {
    assertThat(quotes.chain("1-3")).isEqualTo("1-3 by another command")
    assertThat(count("chained", EventType.SUCCESS)).isEqualTo(1)
  }

  @Test
  fun namesAreMangled_keyAndFallbackAreThoseOfTheSource() = runBlocking<Unit> {
    assertThat(quotes.ofValue(Sku("1-3"))).isEqualTo("1-3 for 1-3")
    assertThat(quotes.blocking("1-4")).isEqualTo("1-4, 1-4")
    assertThat(count("ofValue", EventType.FALLBACK_SUCCESS)).isEqualTo(1)
  }

  @Test
  fun resultIsOfAValueClass_isTheCallers() = runBlocking<Unit> {
    assertThat(quotes.valued("1-3").id).isEqualTo("1-3")
    assertThat(quotes.valuedByFallback("1-3").id).isEqualTo("other than 1-3")
  }

  @Test
  fun tenrecCloses_itIsNoCancellationOfTheCaller() {
    val thrown = CompletableDeferred<Throwable?>()
    val thrownAtItems = CompletableDeferred<Throwable?>()
    runBlocking(Dispatchers.Default) {
      launch { thrown.complete(runCatching { quotes.endless() }.exceptionOrNull()) }
      quotes.began.await() // before the items begin, which say so by the same means
      launch {
        thrownAtItems.complete(
            runCatching { quotes.endlessItems().collect { quotes.go.complete(Unit) } }
                .exceptionOrNull()
        )
      }
      quotes.go.await()
      withContext(Dispatchers.IO) { tenrec.close(Duration.ZERO) }

      for ((error, key) in listOf(thrown to "Quotes.endless", thrownAtItems to "endlessItems")) {
        assertThat(error.await())
            .isInstanceOf(IllegalStateException::class.java)
            .isNotInstanceOf(CancellationException::class.java)
            .hasMessageContaining(key)
      }
    }
  }

  private fun inARequest(test: suspend () -> Unit) {
    tenrec.openRequest().use { request ->
      runBlocking { withContext(request.asContextElement()) { test() } }
    }
  }

  @Test
  fun cached_sharesAnswersByItsArgumentsOnly() = inARequest {
    assertThat(quotes.cached("a")).isEqualTo(1)
    assertThat(quotes.cached("a")).isEqualTo(1)
    assertThat(quotes.cached("b")).isEqualTo(2)
  }

  @Test
  fun removal_ofASuspending_isAfterItsSuccess() = inARequest {
    assertThat(quotes.cached("a")).isEqualTo(1)
    quotes.changed("a")
    assertThat(quotes.cached("a")).isEqualTo(2)
    quotes.changed("b")
    assertThat(quotes.cached("a")).isEqualTo(2)
  }

  @Test
  fun removal_ofAFlow_isAfterEachSuccessOfACollecting() = inARequest {
    for (changes in listOf(quotes::changes, quotes::plainChanges)) {
      val before = quotes.cached("a")
      val items = changes("a")
      assertThat(quotes.cached("a")).describedAs("not collected yet").isEqualTo(before)
      items.first()
      assertThat(quotes.cached("a")).describedAs("left by its collector").isEqualTo(before)
      items.toList()
      assertThat(quotes.cached("a")).isEqualTo(before + 1)
      items.toList()
      assertThat(quotes.cached("a")).isEqualTo(before + 2)
    }
  }

  @Test
  fun removal_ofAFlowThatFails_isNone() = inARequest {
    assertThat(quotes.cached("a")).isEqualTo(1)
    val changes = quotes.failingChanges("a")
    assertThat(runCatching { changes.toList() }.exceptionOrNull()).hasMessage("down")
    assertThat(quotes.cached("a")).isEqualTo(1)
  }

  @Test
  fun removal_ofASuspendingThatBringsAFlow_isAfterItsSuccess() = inARequest {
    assertThat(quotes.cached("a")).isEqualTo(1)
    val changes = quotes.awaitedChanges("a")
    assertThat(quotes.cached("a")).describedAs("not collected yet").isEqualTo(1)
    changes.toList()
    assertThat(quotes.cached("a")).isEqualTo(2)
  }

  @Test
  fun keyOfArguments_namesThemAsTheSourceDoes() = runBlocking<Unit> {
    assertThat(quotes.keyed("x")).isEqualTo("x")
    assertThat(tenrec.details("Keyed-x").count(EventType.SUCCESS)).isEqualTo(1)
  }

  @Test
  fun flow_isAStream_inItsCollectorsContext() {
    val thread = Thread.currentThread().name
    runBlocking(CoroutineName("collector")) {
      val items = quotes.items().toList()

      assertThat(items[0]).isEqualTo("collector")
      assertThat(items[1]).startsWith(thread)
    }
    assertThat(count("items", EventType.SUCCESS)).isEqualTo(1)
  }

  @Test
  fun flowIsLate_itIsCancelled_andTheFallbackGoesOn() = runBlocking<Unit> {
    assertThat(time.passesAt(quotes.began) { quotes.lateItems().toList() })
        .containsExactly("other", "CommandTimeoutException")
    assertThat(quotes.cancelled.await()).isInstanceOf(CancellationException::class.java)
    assertThat(count("lateItems", EventType.TIMEOUT)).isEqualTo(1)
  }

  @Test
  fun collectorLeaves_theFlowIsCancelled() = runBlocking<Unit> {
    assertThat(quotes.endlessItems().first()).isEqualTo("one")
    assertThat(quotes.cancelled.await()).isInstanceOf(CancellationException::class.java)
  }

  @Test
  fun suspendingBringsAFlow_itIsAStream() = runBlocking<Unit> {
    assertThat(quotes.awaitedItems().toList()).containsExactly("a", "b")
    assertThat(quotes.failingItems().toList()).containsExactly("c")
    assertThat(count("failingItems", EventType.FALLBACK_SUCCESS)).isEqualTo(1)
  }
}
