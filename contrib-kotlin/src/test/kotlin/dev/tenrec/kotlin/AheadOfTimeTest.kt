// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.annotations.Command
import dev.tenrec.annotations.spring.EnableCommands
import dev.tenrec.core.Tenrec
import dev.tenrec.metrics.event.EventType
import dev.tenrec.metrics.time.ManualTime
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection
import org.springframework.aot.test.generate.TestGenerationContext
import org.springframework.context.ApplicationContextInitializer
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.aot.ApplicationContextAotGenerator
import org.springframework.context.support.GenericApplicationContext
import org.springframework.core.test.tools.CompileWithForkedClassLoader
import org.springframework.core.test.tools.TestCompiler

/** Ahead of time: functions that suspend are commands of a generated context, and have hints. */
class AheadOfTimeTest {

  open class Quotes {

    @Command
    open suspend fun plain(sku: String): String {
      yield()
      return "$sku at 5"
    }

    @Command(fallbackMethod = "recovered") open suspend fun failing(sku: String): String = error(sku)

    @Suppress("unused", "RedundantSuspendModifier") // called by its name
    private suspend fun recovered(sku: String, cause: Throwable): String {
      yield()
      return "recovered ${cause.message} of $sku"
    }

    @Command open fun ticks(sku: String): Flow<String> = flowOf(sku, sku)
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  open class Application {

    @Bean(destroyMethod = "close") open fun tenrec(): Tenrec = tenrecOf(ManualTime())

    @Bean open fun quotes(): Quotes = Quotes()
  }

  @AfterEach
  fun forget() {
    System.clearProperty("spring.aot.enabled")
  }

  private fun generated(use: (GenericApplicationContext) -> Unit): TestGenerationContext {
    val generation = TestGenerationContext()
    val initializer =
        AnnotationConfigApplicationContext().use { context ->
          context.register(Application::class.java)
          ApplicationContextAotGenerator().processAheadOfTime(context, generation)
        }
    generation.writeGeneratedContent()
    TestCompiler.forSystem().with(generation).compile { compiled ->
      System.setProperty("spring.aot.enabled", "true")
      GenericApplicationContext().use { context ->
        @Suppress("UNCHECKED_CAST") // as generated
        (compiled.getInstance(ApplicationContextInitializer::class.java, initializer.toString())
                as ApplicationContextInitializer<GenericApplicationContext>)
            .initialize(context)
        context.refresh()
        use(context)
      }
    }
    return generation
  }

  @Test
  @CompileWithForkedClassLoader
  fun generatedContext_hasItsSuspendingCommands() {
    val generation = generated { context ->
      val quotes = context.getBean(Quotes::class.java)
      runBlocking {
        assertThat(quotes.plain("1-3")).isEqualTo("1-3 at 5")
        assertThat(quotes.failing("1-3")).isEqualTo("recovered 1-3 of 1-3")
        assertThat(quotes.ticks("1-3").toList()).containsExactly("1-3", "1-3")
      }
      val failing = context.getBean(Tenrec::class.java).details("Quotes.failing")
      assertThat(failing.count(EventType.FAILURE)).isEqualTo(1)
      assertThat(failing.count(EventType.FALLBACK_SUCCESS)).isEqualTo(1)
    }

    for (method in Quotes::class.java.declaredMethods) {
      assertThat(reflection().onMethod(method).invoke())
          .describedAs("%s", method)
          .accepts(generation.runtimeHints)
    }
  }
}
