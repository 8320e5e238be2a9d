// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An InterruptedException that says nothing of the caller's thread, and one that does. */
class ForeignInterruptTest {

  private static final InterruptedException KEPT = new InterruptedException("made long ago");

  /** As a client does that has threads of its own, and unwraps what they failed with. */
  private static String ask(Callable<String> client) throws Exception {
    FutureTask<String> task = new FutureTask<>(client);
    Thread thread = new Thread(task, "client");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      throw e;
    }
  }

  private static String askAndUnwrap(Callable<String> client) throws Exception {
    try {
      return ask(client);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandInterruptedException interrupted) {
        throw interrupted;
      }
      throw e;
    }
  }

  private static String interruptItself() throws InterruptedException {
    Thread.currentThread().interrupt();
    new CountDownLatch(1).await();
    return "never";
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void interruptOfAnotherThread_isAFailure_andItsFallbackAnswers(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> command =
          scenario
              .command(argument -> ask(ForeignInterruptTest::interruptItself))
              .fallback((argument, cause) -> cause.getClass().getSimpleName())
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("InterruptedException");

      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      Scenario.assertCounted(command, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void exceptionMadeBefore_isAFailure_andReachesTheCaller(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw KEPT;
                  })
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(KEPT);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void interruptOfAnotherThread_inTheFallback_leavesTheCallersFlagAlone(Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      IllegalStateException work = new IllegalStateException("work");
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw work;
                  })
              .fallback((argument, cause) -> ask(ForeignInterruptTest::interruptItself))
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(work);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void interruptOfTheCaller_isACancellation_withTheWorksExceptionAsItsCause(Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> command = scenario.held().fallback((argument, cause) -> "no").build();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();

      caller.thread.interrupt();

      assertThat(caller.answer().error())
          .isInstanceOf(CommandInterruptedException.class)
          .hasCauseInstanceOf(InterruptedException.class)
          .hasMessageContaining("Subject")
          .hasMessageContaining("its work")
          .hasMessageNotContaining("waiting");
      assertThat(caller.isFlagKept()).isTrue();
    }
  }

  /** Its thread is the one that was interrupted, at the inner command's work or waiting for it. */
  @ParameterizedTest
  @MethodSource("nestings")
  void interruptOfTheCaller_atACommandThatItsWorkExecutes_isACancellationOfBoth(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      CountDownLatch begun = new CountDownLatch(1);
      Command<String, String> inner =
          scenario
              .tenrec
              .command(
                  "Inner",
                  (String argument) -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return argument;
                  })
              .isolation(way.isolation())
              .withoutTimeout()
              .fallback((argument, cause) -> "no")
              .build();
      Command<String, String> command =
          scenario.command(inner::execute).fallback((argument, cause) -> "nor").build();
      Caller caller = scenario.start(command, "x");
      begun.await();

      caller.thread.interrupt();

      assertThat(caller.answer().error())
          .isInstanceOf(CommandInterruptedException.class)
          .hasMessageContaining("Subject")
          .hasCauseInstanceOf(InterruptedException.class)
          .satisfies(error -> assertThat(error.getCause()).hasMessageContaining("Inner"));
      assertThat(caller.isFlagKept()).isTrue();
      Scenario.assertCounted(command, EventType.CANCELLED);
      Scenario.awaitCounted(inner, EventType.CANCELLED);
    }
  }

  static Stream<Arguments> nestings() {
    return Stream.of(Way.SEMAPHORE, Way.POOL)
        .flatMap(way -> Stream.of(Door.values()).map(door -> Arguments.of(way, door)));
  }

  /** It says nothing of this thread. */
  @ParameterizedTest
  @EnumSource(Door.class)
  void interruptOfAnotherThread_atACommandThatItExecutes_isAFailure(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> inner =
          scenario
              .tenrec
              .command("Inner", (String argument) -> interruptItself())
              .isolation(Isolation.semaphore(10))
              .build();
      Command<String, String> command =
          scenario
              .command(argument -> askAndUnwrap(() -> inner.execute(argument)))
              .fallback((argument, cause) -> cause.getClass().getSimpleName())
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("CommandInterruptedException");

      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      Scenario.assertCounted(command, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void exceptionTheWorkMakesItself_cannotBeDistinguishedFromAnInterrupt_andStaysReachable(Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      InterruptedException[] mine = new InterruptedException[1];
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw mine[0] = new InterruptedException("mine");
                  })
              .build();

      Caller caller = scenario.start(command, "x");
      Answer answer = caller.answer();

      assertThat(answer.error())
          .isInstanceOf(CommandInterruptedException.class)
          .cause()
          .isSameAs(mine[0]);
      assertThat(caller.isFlagKept()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void exceptionWithoutAStackTrace_cannotBeDistinguishedEither(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      InterruptedException bare = new InterruptedException("bare");
      bare.setStackTrace(new StackTraceElement[0]);
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw bare;
                  })
              .build();

      Caller caller = scenario.start(command, "x");
      Answer answer = caller.answer();

      assertThat(answer.error())
          .isInstanceOf(CommandInterruptedException.class)
          .cause()
          .isSameAs(bare);
    }
  }

  /** The thread is the user's, and the interrupt was not for the call. */
  @Test
  void interruptOfTheThreadThatEndsTheStage_inTheFallback_isKept() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Tenrec tenrec = Unhurried.tenrec();
    try (tenrec) {
      Command<String, String> command =
          tenrec
              .asyncCommand("Subject", (String argument) -> stage)
              .fallback((argument, cause) -> interruptItself())
              .build();
      CompletableFuture<String> call = command.executeAsync("x");

      CompletableFuture<Boolean> kept =
          Elsewhere.call(
              () -> {
                stage.completeExceptionally(new IllegalStateException("work"));
                return Thread.currentThread().isInterrupted();
              });

      assertThat(kept).succeedsWithin(PatientWaits.patience()).isEqualTo(true);
      assertThat(call)
          .failsWithin(PatientWaits.patience())
          .withThrowableThat()
          .withMessageContaining("work");
    }
  }

  /** What hangs on the future of the call runs on that thread next. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void interruptOfAThreadOfOurs_ofWhichItsCallMakesAnException_isOver(boolean inFallback) {
    CountDownLatch goOn = new CountDownLatch(1);
    Tenrec tenrec = Unhurried.tenrec();
    try (tenrec) {
      CommandBuilder<String, String> builder =
          tenrec
              .<String, String>command(
                  "Subject",
                  argument -> {
                    Uninterruptibly.await(goOn);
                    if (inFallback) {
                      throw new IllegalStateException("work");
                    }
                    return interruptItself();
                  })
              .isolation(Isolation.threadPool().coreSize(1));
      Command<String, String> command =
          (inFallback ? builder.fallback((argument, cause) -> interruptItself()) : builder).build();

      CompletableFuture<Boolean> interrupted =
          command
              .executeAsync("x")
              .handle((value, error) -> Thread.currentThread().isInterrupted());
      goOn.countDown();

      assertThat(interrupted).succeedsWithin(PatientWaits.patience()).isEqualTo(false);
    }
  }

  /** Deeper than a stack trace is: what is kept of it is its top. */
  @Test
  void interruptDeepInTheWork_isTakenForOneOfTheCaller() {
    Tenrec tenrec = Unhurried.tenrec();
    try (tenrec) {
      Command<Integer, String> command =
          tenrec
              .command("Deep", ForeignInterruptTest::interruptAt)
              .isolation(Isolation.semaphore(1))
              .build();
      for (int depth : List.of(0, 1, 900, 1_500)) {
        assertThat(catchThrowable(() -> command.execute(depth)))
            .as("at %s", depth)
            .isInstanceOf(CommandInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
      }
    }
  }

  private static String interruptAt(Integer depth) throws InterruptedException {
    return depth == 0 ? interruptItself() : interruptAt(depth - 1);
  }
}
