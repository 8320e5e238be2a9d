// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.annotations.Command
import dev.tenrec.core.outcome.CommandTimeoutException
import dev.tenrec.metrics.time.ManualTime
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.stereotype.Service

/** The Kotlin of docs/how-to/kotlin.md, compiled as it stands, and run. */
class KotlinPageTest {

  data class Sku(val id: String)

  data class Quote(val sku: Sku, val cents: Int)

  class Pricing {
    val began = CompletableDeferred<Unit>()

    suspend fun quote(sku: Sku): Quote =
        when (sku.id) {
          "late" -> {
            began.complete(Unit)
            awaitCancellation()
          }
          "bad" -> throw IOException("down")
          else -> Quote(sku, 5)
        }

    fun yesterday(sku: Sku): Quote = Quote(sku, 4)

    fun ticks(sku: Sku): Flow<Quote> = flow {
      emit(quote(sku))
      emit(Quote(sku, 6))
    }
  }

  class OldPricing {
    fun quote(sku: Sku): Quote = Quote(sku, 7)
  }

  private val pricing = Pricing()
  private val old = OldPricing()
  private val time = ManualTime()
  private val tenrec = tenrecOf(time)

  @AfterEach
  fun close() {
    tenrec.close()
  }

  @Test
  fun inCode() = runBlocking<Unit> {
    val quote =
        tenrec.suspendCommand<Sku, Quote>("GetQuote") {
          options {
            group("Pricing")
            timeout(Duration.ofMillis(300))
          }
          work { sku -> pricing.quote(sku) }
          fallback { sku, cause -> Quote(sku, 0) }
        }
    val ticks =
        tenrec.flowCommand<Sku, Quote>("Ticks") {
          work { sku -> pricing.ticks(sku) }
          fallback { sku, cause -> flowOf(Quote(sku, 0)) }
        }

    assertThat(quote(Sku("1-3")).cents).isEqualTo(5)
    assertThat(time.passesAt(pricing.began) { quote(Sku("late")) }.cents).isZero()
    assertThat(quote.view().group()).isEqualTo("Pricing")
    assertThat(ticks(Sku("1-3")).toList().map { it.cents }).containsExactly(5, 6)
    assertThat(ticks(Sku("bad")).toList().map { it.cents }).containsExactly(0)
  }

  private val blocking = tenrec.command<Sku, Quote>("GetOldQuote") { sku -> old.quote(sku) }.build()

  suspend fun cents(sku: Sku): Int = blocking.await(sku).cents

  suspend fun page(): Int =
      tenrec.openRequest().use { request ->
        request.leave()
        withContext(request.asContextElement()) { cents(Sku("1-3")) }
      }

  @Test
  fun waiting() = runBlocking<Unit> { assertThat(page()).isEqualTo(7) }

  @Service
  open class Quotes(private val pricing: Pricing) {

    @Command(fallbackMethod = "recover", timeout = "300ms")
    open suspend fun bySku(sku: Sku): Quote = pricing.quote(sku)

    private suspend fun recover(sku: Sku, cause: CommandTimeoutException): Quote = pricing.yesterday(sku)

    private fun recover(sku: Sku, cause: Throwable): Quote = Quote(sku, 0)

    @Command open fun ticks(sku: Sku): Flow<Quote> = pricing.ticks(sku)
  }

  @Test
  fun inSpring() = runBlocking<Unit> {
    contextOf(Pricing::class.java, Quotes::class.java).use { context ->
      val quotes = context.getBean(Quotes::class.java)

      val began = context.getBean(Pricing::class.java).began
      val clock = context.getBean(ManualTime::class.java)

      assertThat(quotes.bySku(Sku("1-3")).cents).isEqualTo(5)
      assertThat(clock.passesAt(began) { quotes.bySku(Sku("late")) }.cents).isEqualTo(4)
      assertThat(quotes.bySku(Sku("bad")).cents).isZero()
      assertThat(quotes.ticks(Sku("1-3")).toList()).hasSize(2)
    }
  }

  private fun bare(code: String) = code.replace(Regex("\\s+"), "")

  @Test
  fun everySnippet_isCompiledAsItStands() {
    val root =
        generateSequence(Path.of("").toAbsolutePath()) { it.parent }
            .first { Files.exists(it.resolve("docs/how-to/kotlin.md")) }
    val page = Files.readString(root.resolve("docs/how-to/kotlin.md"))
    val here = "contrib-kotlin/src/test/kotlin/dev/tenrec/kotlin/KotlinPageTest.kt"
    val compiled = bare(Files.readString(root.resolve(here)))
    val blocks =
        Regex("```kotlin\n(.*?)```", RegexOption.DOT_MATCHES_ALL)
            .findAll(page)
            .map { it.groupValues[1] }
            .toList()

    assertThat(blocks).hasSize(5).allSatisfy { assertThat(compiled).contains(bare(it)) }
  }
}
