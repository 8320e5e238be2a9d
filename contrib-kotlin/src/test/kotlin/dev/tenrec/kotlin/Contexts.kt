// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.annotations.spring.EnableCommands
import dev.tenrec.core.Tenrec
import dev.tenrec.core.view.CommandDetails
import dev.tenrec.metrics.event.EventType
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
  @Bean open fun tenrec(): Tenrec = patientTenrec()
}

/** One whose commands have time where they say nothing of it, for the machine may be busy. */
internal fun patientTenrec(): Tenrec = Tenrec.create().apply { set(timeoutOf("default"), PATIENT) }

/** What is called with the key has all the time it needs, whatever it says of it. */
internal suspend fun <T> Tenrec.patiently(key: String, call: suspend () -> T): T {
  set(timeoutOf(key), PATIENT)
  try {
    return call()
  } finally {
    clear(timeoutOf(key))
  }
}

private fun timeoutOf(key: String) =
    "tenrec.command.$key.execution.isolation.thread.timeoutInMilliseconds"

private const val PATIENT = "60000"

/** How often an event was counted for a command. */
internal fun CommandDetails.count(event: EventType): Long = cumulativeCount(event)

/** What is counted of a command. */
internal fun Tenrec.details(key: String): CommandDetails = commands().single { it.key() == key }
