// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.event.EventType;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When there is no room. */
class RejectionTest {

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void full_saysWhatHowManyAndTheLimit(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.held().isolation(way.isolation(1)).build();
      Caller occupant = scenario.start(command, "x");
      scenario.begun.await();

      Throwable error = scenario.call(command, "y").error();

      Reason reason =
          way == Way.POOL
              ? Reason.THREAD_POOL
              : way == Way.VIRTUAL_THREAD ? Reason.VIRTUAL_THREAD : Reason.SEMAPHORE;
      assertThat(error)
          .isInstanceOfSatisfying(
              CommandRejectedException.class,
              refused -> {
                assertThat(refused.reason()).isEqualTo(reason);
                assertThat(refused.limit()).isOne();
                assertThat(refused.inUse()).isOne();
                assertThat(refused.bulkhead()).isEqualTo(way == Way.POOL ? "Pool" : "Subject");
                assertThat(refused.getStackTrace()).isEmpty();
              })
          .hasMessageContaining("Subject")
          .hasMessageContaining("1 in flight, 1 allowed");
      assertThat(command.view().cumulativeCount(way.rejection())).isOne();

      scenario.release.complete("done");
      assertThat(occupant.answer().value()).isEqualTo("done");
      assertThat(scenario.call(command, "z").value())
          .as("the permit is back before the answer is seen")
          .isEqualTo("done");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void rejected_neverRuns_andHasNoLatency(Way way, Door door) throws Exception {
    AtomicBoolean began = new AtomicBoolean();
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .rejected(
                  argument -> {
                    began.set(true);
                    return argument;
                  })
              .build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.error()).isInstanceOf(CommandRejectedException.class);
      assertThat(command.view().executionLatency().count()).isZero();
      assertThat(command.view().callerLatency().count()).isZero();
      assertThat(command.view().concurrency()).isZero();
      if (answer.outcome() != null) {
        assertThat(answer.outcome().executionLatency()).isNull();
      }
      if (way == Way.POOL) {
        assertThat(scenario.tenrec.pools())
            .singleElement()
            .satisfies(
                pool -> {
                  assertThat(pool.cumulativeRejected()).isOne();
                  Scenario.await().until(() -> pool.active() == 1); // the occupant alone
                });
      }
    }
    assertThat(began).as("nor when there was room again, nor by the end").isFalse();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void usersRejectedExecution_isAFailure(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      RejectedExecutionException mine =
          new RejectedExecutionException("of the client's own executor");
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw mine;
                  })
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(mine);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void queueAtItsThreshold_refusesAPoolAtItsMaximum(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, door)) {
      Isolation queue =
          Isolation.threadPool().key("Pool").coreSize(1).queueSize(5).rejectionThreshold(2);
      Command<String, String> command = scenario.held().isolation(queue).build();
      Caller running = scenario.start(command, "x");
      scenario.begun.await();
      Caller first = scenario.start(command, "1");
      Caller second = scenario.start(command, "2");
      Scenario.await().until(() -> command.view().concurrency() == 3);

      assertThat(scenario.call(command, "3").error())
          .isInstanceOf(CommandRejectedException.class)
          .hasMessageContaining("3 allowed");

      scenario.release.complete("done");
      for (Caller caller : new Caller[] {running, first, second}) {
        assertThat(caller.answer().value()).isEqualTo("done");
      }
    }
  }

  @Test
  void fallbackOfARejected_runsOnTheCaller() throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE_ASYNC)) {
      AtomicBoolean onCaller = new AtomicBoolean();
      Thread caller = Thread.currentThread();
      Command<String, String> command =
          scenario
              .rejected()
              .fallback(
                  (argument, cause) -> {
                    onCaller.set(Thread.currentThread() == caller);
                    return "answer";
                  })
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("answer");
      assertThat(onCaller).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void stackTraces_areThereForWhoAsks(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.rejected().stackTraces(true).build();

      assertThat(scenario.call(command, "x").error().getStackTrace()).isNotEmpty();
    }
  }
}
