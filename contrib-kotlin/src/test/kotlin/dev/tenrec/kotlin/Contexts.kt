// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.annotations.spring.EnableCommands
import dev.tenrec.core.Tenrec
import dev.tenrec.core.view.CommandDetails
import dev.tenrec.metrics.event.EventType
import dev.tenrec.metrics.time.ManualTime
import java.time.Duration
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

/** Contexts of plain Spring, with a Tenrec and the given beans. */
internal fun contextOf(vararg beans: Class<*>): AnnotationConfigApplicationContext =
    AnnotationConfigApplicationContext().apply {
      register(Plain::class.java, *beans)
      refresh()
    }

@Configuration(proxyBeanMethods = false)
@EnableCommands
internal open class Plain {
  @Bean open fun time(): ManualTime = ManualTime()

  @Bean open fun tenrec(time: ManualTime): Tenrec = tenrecOf(time)
}

/** One whose clock is moved by hand: no call is late because the machine is busy. */
internal fun tenrecOf(time: ManualTime): Tenrec = Tenrec.builder().time(time, time).build()

/** What a call answers whose time passes when [began] has been completed by its work. */
internal suspend fun <T> ManualTime.passesAt(began: Deferred<Unit>, call: suspend () -> T): T =
    coroutineScope {
      val answer = async { call() }
      began.await()
      advance(Duration.ofSeconds(2))
      answer.await()
    }

/** How often an event was counted for a command. */
internal fun CommandDetails.count(event: EventType): Long = cumulativeCount(event)

/** What is counted of a command. */
internal fun Tenrec.details(key: String): CommandDetails = commands().single { it.key() == key }
