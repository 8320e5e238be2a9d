// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.kotlin

import dev.tenrec.core.Isolation
import dev.tenrec.core.Tenrec
import dev.tenrec.core.outcome.CircuitOpenException
import dev.tenrec.core.outcome.CommandRejectedException
import dev.tenrec.core.outcome.CommandTimeoutException
import dev.tenrec.core.retry.Retry
import dev.tenrec.metrics.event.EventType
import dev.tenrec.metrics.time.ManualTime
import java.io.IOException
import java.time.Duration
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import reactor.core.publisher.Flux

/** Commands that are built in Kotlin, and coroutines that wait for those of Java. */
class SuspendCommandTest {

  private val time = ManualTime()
  private val tenrec = tenrecOf(time)
  private val began = CompletableDeferred<Unit>()
  private val cancelled = CompletableDeferred<Throwable>()

  @AfterEach
  fun close() {
    tenrec.close()
  }

  private suspend fun forEver(): Nothing =
      try {
        began.complete(Unit)
        awaitCancellation()
      } catch (e: CancellationException) {
        cancelled.complete(e)
        throw e
      }

  @Test
  fun suspending_answers_onItsCallersThread() {
    val thread = Thread.currentThread().name
    val command =
        tenrec.suspendCommand<String, String>("Greet") {
          work { name ->
            yield()
            "$name ${Thread.currentThread().name} ${currentCoroutineContext()[CoroutineName]?.name}"
          }
        }

    val answer = runBlocking(CoroutineName("caller")) { command("you") }

    assertThat(answer).startsWith("you $thread").endsWith("caller")
    assertThat(command.view().count(EventType.SUCCESS)).isEqualTo(1)
    assertThat(command.key).isEqualTo("Greet")
    assertThat(command).hasToString("SuspendCommand Greet")
  }

  @Test
  fun nullIsAnAnswer() = runBlocking<Unit> {
    val command = tenrec.suspendCommand<String?, String?>("Null") { work { it } }

    assertThat(command(null)).isNull()
  }

  @Test
  fun callerWaits_itsThreadIsFree() = runBlocking<Unit> {
    val go = CompletableDeferred<Unit>()
    val command =
        tenrec.suspendCommand<Unit, String>("Waits") {
          work {
            began.complete(Unit)
            go.await()
            "done"
          }
        }
    launch { // on the same thread: it goes on only if the call does not block it
      began.await()
      go.complete(Unit)
    }

    assertThat(command(Unit)).isEqualTo("done")
  }

  @Test
  fun callerIsCancelled_theWorkIs() {
    val command =
        tenrec.suspendCommand<Unit, String>("Endless") {
          options { withoutTimeout() }
          work { forEver() }
        }
    runBlocking {
      val caller = launch { command(Unit) }
      began.await()
      caller.cancelAndJoin()

      assertThat(cancelled.await()).isInstanceOf(CancellationException::class.java)
    }
    await().untilAsserted { assertThat(command.view().count(EventType.CANCELLED)).isEqualTo(1) }
    await().untilAsserted { assertThat(command.view().concurrency()).isZero() }
  }

  @Test
  fun timeOut_cancelsTheWorkOnly() = runBlocking<Unit> {
    val command =
        tenrec.suspendCommand<Unit, String>("Late") {
          options { timeout(Duration.ofMillis(50)) }
          work { forEver() }
        }

    val thrown = time.passesAt(began) { runCatching { command(Unit) }.exceptionOrNull() }

    assertThat(thrown).isInstanceOf(CommandTimeoutException::class.java)
    assertThat(cancelled.await()).isInstanceOf(CancellationException::class.java)
    assertThat(currentCoroutineContext().isActive).isTrue()
  }

  @Test
  fun workDoesNotHeedItsCancellation_itKeepsItsPermit() = runBlocking(Dispatchers.Default) {
    val go = CompletableDeferred<Unit>()
    val command =
        tenrec.suspendCommand<Unit, String>("Stubborn") {
          options {
            timeout(Duration.ofMillis(50))
            isolation(Isolation.semaphore(1))
          }
          work {
            began.complete(Unit)
            withContext(NonCancellable) { go.await() }
            "done"
          }
        }

    val thrown = time.passesAt(began) { runCatching { command(Unit) }.exceptionOrNull() }

    assertThat(thrown).isInstanceOf(CommandTimeoutException::class.java)
    assertThat(command.view().concurrency()).isEqualTo(1)
    assertThat(runCatching { command(Unit) }.exceptionOrNull())
        .isInstanceOf(CommandRejectedException::class.java)
    go.complete(Unit)
    await().untilAsserted { assertThat(command.view().concurrency()).isZero() }
    assertThat(command(Unit)).isEqualTo("done")
    Unit
  }

  @Test
  fun workHasATimeOutOfItsOwn_isAFailure() = runBlocking<Unit> {
    val command =
        tenrec.suspendCommand<Unit, String>("Impatient") {
          work { withTimeout(1) { awaitCancellation() } }
        }

    val thrown = runCatching { command(Unit) }.exceptionOrNull()

    assertThat(thrown).isInstanceOf(CancellationException::class.java)
    assertThat(command.view().count(EventType.FAILURE)).isEqualTo(1)
  }

  @Test
  fun workFails_theFallbackAnswers_inItsCallersCoroutine() {
    val command =
        tenrec.suspendCommand<String, String>("Recovers") {
          work { throw IOException("down") }
          fallback { name, cause ->
            yield()
            "$name, ${cause.message}, ${currentCoroutineContext()[CoroutineName]?.name}"
          }
        }

    assertThat(runBlocking(CoroutineName("caller")) { command("1-3") })
        .isEqualTo("1-3, down, caller")
    assertThat(command.view().count(EventType.FALLBACK_SUCCESS)).isEqualTo(1)
  }

  @Test
  fun fallbackFails_theCallerGetsTheFirstCause() = runBlocking<Unit> {
    val command =
        tenrec.suspendCommand<Unit, String>("Twice") {
          work { throw IOException("first") }
          fallback { _, _ -> error("second") }
        }

    assertThat(runCatching { command(Unit) }.exceptionOrNull())
        .isInstanceOf(IOException::class.java)
        .hasMessage("first")
  }

  @Test
  fun fallbackFailsWithAnError_theCallerGetsTheFirstCause() = runBlocking<Unit> {
    for (second in listOf(NotImplementedError("second"), StackOverflowError("second"))) {
      val command =
          tenrec.suspendCommand<Unit, String>("Twice of ${second.javaClass.simpleName}") {
            work { throw IOException("first") }
            fallback { _, _ ->
              yield()
              throw second
            }
          }

      assertThat(runCatching { command(Unit) }.exceptionOrNull())
          .isInstanceOf(IOException::class.java)
          .hasMessage("first")
    }
  }

  @Test
  fun callerIsCancelled_itsFallbackIs() = runBlocking<Unit> {
    val command =
        tenrec.suspendCommand<Unit, String>("Stuck") {
          work { throw IOException("down") }
          fallback { _, _ -> forEver() }
        }
    val caller = launch { command(Unit) }
    began.await()
    caller.cancelAndJoin()

    assertThat(cancelled.await()).isInstanceOf(CancellationException::class.java)
    assertThat(caller.isCancelled).isTrue()
  }

  @Test
  fun circuitIsOpen_theWorkIsNotAsked() = runBlocking<Unit> {
    val asked = AtomicInteger()
    val command =
        tenrec.suspendCommand<Unit, Int>("Open") { work { asked.incrementAndGet() } }
    tenrec.set("tenrec.command.Open.circuitBreaker.forceOpen", "true")

    assertThat(runCatching { command(Unit) }.exceptionOrNull())
        .isInstanceOf(CircuitOpenException::class.java)
    assertThat(asked.get()).isZero()
  }

  @Test
  fun retry_attemptsAgain() = runBlocking<Unit> {
    val asked = AtomicInteger()
    Tenrec.create().use { real -> // by whose clock the time between two attempts passes
      val command =
          real.suspendCommand<Unit, Int>("Retried") {
            options { timeout(Duration.ofHours(1)) }
            retry(Retry.attempts(2))
            work { if (asked.incrementAndGet() == 1) throw IOException("once") else asked.get() }
          }

      assertThat(command(Unit)).isEqualTo(2)
    }
  }

  @Test
  fun noWork_isRefusedByName() {
    assertThatThrownBy { tenrec.suspendCommand<Unit, Int>("Empty") {} }
        .isInstanceOf(IllegalStateException::class.java)
        .hasMessageContaining("Empty")
        .hasMessageContaining("work {")
  }

  @Test
  fun tenrecCloses_itIsNoCancellationOfTheCaller() {
    val command =
        tenrec.suspendCommand<Unit, String>("Closing") {
          options { withoutTimeout() }
          work { forEver() }
        }
    val thrown = CompletableDeferred<Throwable?>()
    runBlocking(Dispatchers.Default) {
      val caller = launch { thrown.complete(runCatching { command(Unit) }.exceptionOrNull()) }
      began.await()
      withContext(Dispatchers.IO) { tenrec.close(Duration.ZERO) }
      caller.join()
      assertThat(caller.isCancelled).isFalse()

      assertThat(thrown.await())
          .isInstanceOf(IllegalStateException::class.java)
          .isNotInstanceOf(CancellationException::class.java)
          .hasMessageContaining("Closing")
    }
    assertThat(command.isClosed).isTrue()
  }

  @Test
  fun commandOfJava_isAwaited_onItsPool() = runBlocking<Unit> {
    val command =
        tenrec.command<String, String>("Blocking") { name -> name + Thread.currentThread().name }
            .build()

    assertThat(command.await("a")).startsWith("a").isNotEqualTo("a" + Thread.currentThread().name)
    assertThat(command.awaitOutcome("a").isSuccess).isTrue()
  }

  @Test
  fun coroutineIsCancelledAlready_theWorkDoesNotRun() {
    val runs = AtomicInteger()
    val returned = AtomicInteger()
    val command =
        tenrec
            .command<Unit, Int>("Unasked") { runs.incrementAndGet() }
            .isolation(Isolation.semaphore(1))
            .build()

    runBlocking {
      launch {
        cancel()
        command.await(Unit)
        returned.incrementAndGet()
      }
      launch {
        cancel()
        command.awaitOutcome(Unit)
        returned.incrementAndGet()
      }
    }

    assertThat(runs).hasValue(0)
    assertThat(returned).hasValue(0)
  }

  @Test
  fun awaitingIsCancelled_theBlockingWorkIsInterrupted() {
    val interrupted = CountDownLatch(1)
    val command =
        tenrec
            .command<Unit, String>("Blocked") {
              try {
                began.complete(Unit)
                CountDownLatch(1).await()
                "never"
              } catch (e: InterruptedException) {
                interrupted.countDown()
                throw e
              }
            }
            .isolation(Isolation.threadPool())
            .withoutTimeout()
            .property("execution.isolation.thread.interruptOnFutureCancel", "true")
            .build()
    runBlocking {
      val caller = launch(Dispatchers.Default) { command.await(Unit) }
      began.await()
      caller.cancelAndJoin()
    }

    interrupted.await() // else the test's own time-out ends it
    await().untilAsserted { assertThat(command.view().count(EventType.CANCELLED)).isEqualTo(1) }
  }

  @Test
  fun flow_isCollected_inItsCollectorsContext() {
    val thread = Thread.currentThread().name
    val command =
        tenrec.flowCommand<String, String>("Items") {
          work { name ->
            flow {
              emit(name)
              yield()
              emit(Thread.currentThread().name)
            }
          }
        }

    val items = runBlocking { command("a").toList() }

    assertThat(items[0]).isEqualTo("a")
    assertThat(items[1]).startsWith(thread)
    assertThat(command.view().count(EventType.SUCCESS)).isEqualTo(1)
  }

  @Test
  fun flowIsLate_itIsCancelled_andTheFallbackGoesOn() = runBlocking<Unit> {
    val command =
        tenrec.flowCommand<Unit, String>("LateItems") {
          options { timeout(Duration.ofMillis(50)) }
          work { flow { emit(forEver()) } }
          fallback { _, cause -> flowOf(cause.javaClass.simpleName) }
        }

    assertThat(time.passesAt(began) { command(Unit).toList() })
        .containsExactly("CommandTimeoutException")
    assertThat(cancelled.await()).isInstanceOf(CancellationException::class.java)
  }

  @Test
  fun collectorLeaves_theFlowIsCancelled() = runBlocking<Unit> {
    val command =
        tenrec.flowCommand<Unit, Int>("EndlessItems") {
          work {
            flow {
              emit(1)
              forEver()
            }
          }
        }

    assertThat(command(Unit).first()).isEqualTo(1)
    assertThat(cancelled.await()).isInstanceOf(CancellationException::class.java)
  }

  @Test
  fun streamOfJava_isAFlow() = runBlocking<Unit> {
    val command = tenrec.streamCommand<Int, Int>("Java") { Flux.range(0, it) }.build()

    assertThat(command.asFlow(3).toList()).containsExactly(0, 1, 2)
  }

  @Test
  fun request_goesAlongWithItsCoroutine() {
    val variable = tenrec.requestVariable { "initial" }
    tenrec.openRequest().use { request ->
      request.leave()
      runBlocking {
        withContext(request.asContextElement()) {
          variable.set("kept")
          withContext(Dispatchers.Default) {
            assertThat(variable.get()).isEqualTo("kept")
          }
        }
        assertThat(tenrec.currentRequest()).isEmpty()
      }
    }
  }
}
