// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.annotations.Collapsed
import dev.tenrec.annotations.Command
import dev.tenrec.annotations.CommandDeclarationException
import dev.tenrec.annotations.Mistake
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.catchThrowableOfType
import org.junit.jupiter.api.Test

/** What stops the start of a context with Kotlin's classes, and how it is explained. */
class MangledNamesTest {

  @JvmInline value class Sku(val id: String)

  internal open class OtherValue {
    @Command(fallbackMethod = "lost") open suspend fun find(id: Int): String = "$id"

    private fun lost(sku: Sku): String = sku.id
  }

  internal open class InternalOfAnotherType {
    @Command(fallbackMethod = "lost") open fun find(id: Int): String = "$id"

    internal fun lost(id: Long): String = "$id"
  }

  internal open class SuspendingForAValue {
    @Command(fallbackMethod = "lost") open fun find(id: Int): String = "$id"

    private suspend fun lost(id: Int): String = "$id"
  }

  internal class Final {
    @Command suspend fun find(id: Int): String = "$id"
  }

  internal open class Batches {
    @Collapsed(batchMethod = "all") open suspend fun find(id: Int): String = "$id"
  }

  private fun mistakes(bean: Class<*>): List<Mistake> =
      catchThrowableOfType(CommandDeclarationException::class.java) { contextOf(bean).close() }
          .mistakes()

  @Test
  fun valueClassDoesNotFit_theMessageExplainsTheName() {
    val mistake = mistakes(OtherValue::class.java).single()

    assertThat(mistake.where()).endsWith("OtherValue.find(int)")
    assertThat(mistake.found()).contains("fallbackMethod \"lost\", but").contains("lost-")
    assertThat(mistake.expected())
        .startsWith("suspend String lost(int) or suspend String lost(int, Throwable)")
        .contains("value class")
        .contains("name the function as in its source")
  }

  @Test
  fun internalDoesNotFit_theMessageExplainsTheName() {
    val mistake = mistakes(InternalOfAnotherType::class.java).single()

    assertThat(mistake.found()).contains("lost$")
    assertThat(mistake.expected()).startsWith("String lost(int)").contains("internal")
  }

  @Test
  fun fallbackSuspends_andTheCommandDoesNot_isRefused() {
    val mistake = mistakes(SuspendingForAValue::class.java).single()

    assertThat(mistake.found()).contains("suspend String lost(int)")
    assertThat(mistake.expected()).startsWith("String lost(int) or ").doesNotContain("internal")
  }

  @Test
  fun finalClass_getsAnErrorThatNamesThePlugin() {
    assertThat(mistakes(Final::class.java))
        .isNotEmpty()
        .allSatisfy { assertThat(it.expected()).contains("kotlin-spring") }
  }

  @Test
  fun collapsedSuspends_isRefused() {
    assertThat(mistakes(Batches::class.java).single().found())
        .isEqualTo("@Collapsed on a suspend function")
  }
}
