// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.fallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.FailedResultException;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.CommandDefinition;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who answers when the work does not. */
class FallbackTest {

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  static Stream<Arguments> awayEverywhere() {
    return Scenario.combined(Way.away(), List.of(Door.values()));
  }

  private static CommandBuilder<String, String> failing(Scenario scenario, Exception thrown) {
    return scenario.command(
        argument -> {
          throw thrown;
        });
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void nullFromTheFallback_isAnAnswer(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          failing(scenario, new IOException()).fallback((argument, cause) -> null).build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.value()).isNull();
      if (door == Door.TO_SINGLE) {
        assertThat(answer.error()).isInstanceOf(NullPointerException.class);
      } else {
        assertThat(answer.error()).isNull();
      }
      Scenario.assertCounted(command, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void badRequestFromTheFallback_isAFailureOfTheFallback(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      IOException first = new IOException("first");
      Command<String, String> command =
          failing(scenario, first)
              .fallback(
                  (argument, cause) -> {
                    throw new BadRequestException("from the fallback");
                  })
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(first);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_FAILURE, EventType.EXCEPTION_THROWN);
    }
  }

  /** It is that command's error, which others may hold. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void failedResultOfAnotherCommand_thatFailIfAsks_isLeftAsItIs(Way way, Door door)
      throws Exception {
    assertIsLeftAsItIsByFailIf(way, door, builder -> builder);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failedResultOfAnotherCommand_thatFailIfAsks_isLeftAsItIs_withADeadline(Way way, Door door)
      throws Exception {
    assertIsLeftAsItIsByFailIf(way, door, CommandBuilder::withDeadline);
  }

  private static void assertIsLeftAsItIsByFailIf(
      Way way, Door door, UnaryOperator<CommandBuilder<String, String>> options) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Throwable ofTheOther = failedResultOfAnother(scenario);
      Command<String, String> command =
          options
              .apply(
                  failingFallback(
                      scenario
                          .command(argument -> argument)
                          .failIf(result -> throwThis(ofTheOther))))
              .build();

      assertIsLeftAsItIs(scenario.call(command, "x").error(), ofTheOther);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failedResultOfAnotherCommand_thatIgnoreIfAsks_isLeftAsItIs(Way way, Door door)
      throws Exception {
    assertIsLeftAsItIsByIgnoreIf(way, door, builder -> builder);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failedResultOfAnotherCommand_thatIgnoreIfAsks_isLeftAsItIs_whereItMightBeTriedAgain(
      Way way, Door door) throws Exception {
    assertIsLeftAsItIsByIgnoreIf(
        way, door, builder -> builder.retry(Retry.attempts(2).onlyIf(thrown -> false)));
  }

  private static void assertIsLeftAsItIsByIgnoreIf(
      Way way, Door door, UnaryOperator<CommandBuilder<String, String>> options) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Throwable ofTheOther = failedResultOfAnother(scenario);
      Command<String, String> command =
          options
              .apply(
                  failingFallback(
                      scenario
                          .command(argument -> argument)
                          .failIf(result -> true)
                          .ignoreIf(thrown -> throwThis(ofTheOther))))
              .build();

      assertIsLeftAsItIs(scenario.call(command, "x").error(), ofTheOther);
    }
  }

  private static CommandBuilder<String, String> failingFallback(
      CommandBuilder<String, String> builder) {
    return builder.fallback(
        (argument, cause) -> {
          throw new IOException("of the fallback");
        });
  }

  /** As a predicate gets it that asks the other command. */
  private static Throwable failedResultOfAnother(Scenario scenario) {
    Command<String, String> other =
        scenario
            .tenrec
            .command("Other", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .failIf(result -> true)
            .build();
    return catchThrowable(() -> other.execute("x"));
  }

  private static boolean throwThis(Throwable thrown) {
    throw (FailedResultException) thrown;
  }

  private static void assertIsLeftAsItIs(Throwable error, Throwable ofTheOther) {
    assertThat(error).isSameAs(ofTheOther);
    assertThat(error.getSuppressed()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failedResult_thatIsNotTriedAgain_hasTheErrorOfTheFallback(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          failingFallback(
                  scenario
                      .command(argument -> argument)
                      .failIf(result -> true)
                      .retry(Retry.attempts(2).onlyIf(thrown -> false)))
              .build();

      Throwable error = scenario.call(command, "x").error();

      assertThat(error).isInstanceOf(FailedResultException.class);
      assertThat(error.getSuppressed()).singleElement().isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void errorFromTheFallback_isKeptAsItIs(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      IOException first = new IOException("first");
      StackOverflowError second = new StackOverflowError("second");
      Command<String, String> command =
          failing(scenario, first)
              .fallback(
                  (argument, cause) -> {
                    throw second;
                  })
              .build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.error()).isSameAs(first);
      assertThat(first.getSuppressed()).isEmpty();
      if (answer.outcome() != null) {
        assertThat(answer.outcome().fallbackError()).isSameAs(second);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallbackRethrowingItsCause_reachesTheCallerOnce(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .rejected()
              .fallback(
                  (argument, cause) -> {
                    throw (Exception) cause;
                  })
              .build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.error()).isInstanceOf(CommandRejectedException.class);
      assertThat(answer.error().getSuppressed()).isEmpty();
      Scenario.assertCounted(
          command, way.rejection(), EventType.FALLBACK_FAILURE, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void openCircuit_sharedExceptionIsLeftAlone_aFreshOneHasTheFallbacksError(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      IllegalStateException mine = new IllegalStateException("from the fallback");
      List<Throwable> causes = new CopyOnWriteArrayList<>();
      Command<String, String> command =
          scenario
              .command(argument -> argument)
              .property("circuitBreaker.forceOpen", "true")
              .fallback(
                  (argument, cause) -> {
                    causes.add(cause);
                    throw mine;
                  })
              .build();

      Throwable one = scenario.call(command, "x").error();
      Throwable other = scenario.call(command, "x").error();

      assertThat(causes.get(0)).isSameAs(causes.get(1)).isInstanceOf(CircuitOpenException.class);
      assertThat(causes.get(0).getSuppressed()).isEmpty();
      assertThat(one)
          .isInstanceOf(CircuitOpenException.class)
          .isNotSameAs(causes.get(0))
          .isNotSameAs(other)
          .hasSuppressedException(mine);
      assertThat(one).hasMessage(causes.get(0).getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallbackPermits_areGivenBackWhateverBecomesOfIt(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger runs = new AtomicInteger();
      Command<String, String> command =
          failing(scenario, new IOException())
              .fallbackLimit(1)
              .withoutCircuitBreaker()
              .fallback(
                  (argument, cause) -> {
                    if (runs.incrementAndGet() % 2 == 0) {
                      throw new IOException("every second");
                    }
                    return "answer";
                  })
              .build();

      for (int i = 0; i < 6; i++) {
        Answer answer = scenario.call(command, "x");
        assertThat(answer.error() == null).isEqualTo(i % 2 == 0);
      }
      assertThat(runs).hasValue(6);
      assertThat(command.view().cumulativeCount(EventType.FALLBACK_REJECTION)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallbackLimit_isTheKeys_andRefusesTheNext(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CountDownLatch falling = new CountDownLatch(1);
      IOException first = new IOException("first");
      Command<String, String> command =
          failing(scenario, first)
              .fallbackLimit(1)
              .withoutCircuitBreaker()
              .fallback(
                  (argument, cause) -> {
                    falling.countDown();
                    return "x".equals(argument) ? scenario.release.get() : "let in";
                  })
              .build();
      Caller caller = scenario.start(command, "x");
      falling.await();

      assertThat(scenario.call(command, "y").error()).isSameAs(first);
      assertThat(command.view().cumulativeCount(EventType.FALLBACK_REJECTION)).isOne();

      scenario.release.complete("at last");
      assertThat(caller.answer().value()).isEqualTo("at last");
    }
  }

  @Test
  void fallbackLimit_byDefault_isTen() throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE)) {
      AtomicInteger falling = new AtomicInteger();
      IOException first = new IOException("first");
      Command<String, String> command =
          failing(scenario, first)
              .isolation(Way.POOL.isolation(20))
              .withoutCircuitBreaker()
              .fallback(
                  (argument, cause) -> {
                    falling.incrementAndGet();
                    return "x".equals(argument) ? scenario.release.get() : "let in";
                  })
              .build();
      List<Caller> callers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        callers.add(scenario.start(command, "x"));
      }
      Scenario.await().until(() -> falling.get() == 10);

      assertThat(scenario.call(command, "y").error()).isSameAs(first);
      assertThat(command.view().cumulativeCount(EventType.FALLBACK_REJECTION)).isOne();

      scenario.release.complete("at last");
      for (Caller caller : callers) {
        assertThat(caller.answer().value()).isEqualTo("at last");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallbackCallingItsOwnCommand_endsByItsPermits(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<@Nullable Command<String, String>> self = new AtomicReference<>();
      IOException first = new IOException("first");
      Command<String, String> command =
          failing(scenario, first)
              .withoutCircuitBreaker()
              .isolation(way.isolation(20))
              .fallback(
                  (argument, cause) -> {
                    scenario.count(self.get());
                    return self.get().execute(argument);
                  })
              .build();
      self.set(command);

      assertThat(scenario.call(command, "x").error()).isSameAs(first);
      assertThat(command.view().cumulativeCount(EventType.FAILURE)).isEqualTo(11);
      assertThat(command.view().cumulativeCount(EventType.FALLBACK_REJECTION)).isOne();
      assertThat(command.view().cumulativeCount(EventType.FALLBACK_FAILURE)).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallbackEnabled_changedWhileItRuns_countsForTheNextCall(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          failing(scenario, new IOException()).fallback((argument, cause) -> "answer").build();
      assertThat(scenario.call(command, "x").value()).isEqualTo("answer");

      scenario.tenrec.set(
          "tenrec.command.Subject." + CommandProperties.FALLBACK_ENABLED.name(), "false");

      assertThat(scenario.call(command, "x").error()).isInstanceOf(IOException.class);
      assertThat(command.view().cumulativeCount(EventType.FALLBACK_DISABLED)).isOne();
    }
  }

  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void whereTheCallerWaits_itRunsItsOwnFallback(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
      AtomicReference<@Nullable Thread> faller = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    worker.set(Thread.currentThread());
                    throw new IOException();
                  })
              .fallback(
                  (argument, cause) -> {
                    faller.set(Thread.currentThread());
                    return "answer";
                  })
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("answer");

      assertThat(faller.get()).isSameAs(door.callerWaits() ? Thread.currentThread() : worker.get());
    }
  }

  /** Reads a thread-local at the caller, sets it for work and fallback. */
  private record Carried(ThreadLocal<String> local) implements ContextPropagator {

    @Override
    public Captured capture() {
      String captured = local.get();
      return () -> {
        String before = local.get();
        local.set(captured);
        return () -> local.set(before);
      };
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_hasTheCallersContext(Way way, Door door) throws Exception {
    ThreadLocal<String> local = ThreadLocal.withInitial(() -> "none");
    try (Scenario scenario =
        new Scenario(way, door, Unhurried.builder().propagate(new Carried(local)))) {
      Command<String, String> command =
          failing(scenario, new IOException()).fallback((argument, cause) -> local.get()).build();
      local.set("of the caller");
      assertThat(scenario.call(command, "x").value()).isEqualTo("of the caller");
      local.remove();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallbackAfterATimeout_hasTheCallersContext(Way way, Door door) throws Exception {
    ThreadLocal<String> local = ThreadLocal.withInitial(() -> "none");
    try (Scenario scenario =
        new Scenario(way, door, Unhurried.builder().propagate(new Carried(local)))) {
      Command<String, String> command =
          scenario.late().fallback((argument, cause) -> local.get()).build();
      local.set("of the caller");
      assertThat(scenario.call(command, "x").value()).isEqualTo("of the caller");
      local.remove();
    }
  }

  @Test
  void cancelledJustBeforeItsFallback_theFallbackNeverSeesAnotherArgument() throws Exception {
    AtomicInteger installed = new AtomicInteger();
    AtomicReference<@Nullable CompletableFuture<String>> future = new AtomicReference<>();
    CountDownLatch known = new CountDownLatch(1);
    ContextPropagator cancelsAtTheFallback =
        () ->
            () -> {
              if (installed.incrementAndGet() == 2) { // first for the work, then for the fallback
                assertThat(future.get().cancel(true)).isTrue();
              }
              return () -> {};
            };
    List<String> arguments = new CopyOnWriteArrayList<>();
    try (Scenario scenario =
        new Scenario(
            Way.POOL, Door.EXECUTE_ASYNC, Unhurried.builder().propagate(cancelsAtTheFallback))) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    known.await();
                    throw new IOException();
                  })
              .fallback(
                  (argument, cause) -> {
                    arguments.add(String.valueOf(argument));
                    return "too late";
                  })
              .build();
      scenario.count(command);
      future.set(command.executeAsync("x"));
      known.countDown();

      assertThat(catchThrowable(future.get()::get))
          .isInstanceOf(java.util.concurrent.CancellationException.class);
      Scenario.await().until(() -> command.view().concurrency() == 0);
      assertThat(arguments).doesNotContain("null");
      Scenario.assertCounted(command, EventType.FAILURE, EventType.CANCELLED);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Door.class,
      names = {"EXECUTE", "ATTEMPT"})
  void callerInterruptedInItsOwnFallback_keepsItsFlag(Door door) throws Exception {
    for (Way way : Way.all()) {
      try (Scenario scenario = new Scenario(way, door)) {
        CountDownLatch falling = new CountDownLatch(1);
        IOException first = new IOException("first");
        Command<String, String> command =
            failing(scenario, first)
                .fallback(
                    (argument, cause) -> {
                      falling.countDown();
                      return scenario.release.get();
                    })
                .build();
        Caller caller = scenario.start(command, "x");
        falling.await();

        caller.thread.interrupt();

        assertThat(caller.answer().error()).isSameAs(first);
        assertThat(caller.isFlagKept()).as("%s", way).isTrue();
        Scenario.assertCounted(
            command, EventType.FAILURE, EventType.FALLBACK_FAILURE, EventType.EXCEPTION_THROWN);
      }
    }
  }

  private abstract static class Base implements CommandDefinition<String, String> {

    @Override
    public String fallback(String argument, Throwable cause) throws Exception {
      return "inherited for " + argument + " because of " + cause.getMessage();
    }
  }

  private static final class Derived extends Base {

    @Override
    public String run(String argument) throws Exception {
      throw new IOException("the work");
    }
  }

  private static final class Bare implements CommandDefinition<String, String> {

    @Override
    public String run(String argument) throws Exception {
      throw new IOException("the work");
    }
  }

  @Test
  void definition_withAnInheritedFallback_hasOne() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command =
          scenario
              .tenrec
              .command("Derived", new Derived())
              .isolation(Isolation.semaphore(1))
              .build();

      assertThat(scenario.call(command, "x").value())
          .isEqualTo("inherited for x because of the work");
    }
  }

  @Test
  void definition_withoutFallback_hasNone() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command = scenario.tenrec.command("Bare", new Bare()).build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(IOException.class);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @Test
  void definition_withTwoKeys_isTwoCommands() throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE)) {
      Derived definition = new Derived();
      Command<String, String> one = scenario.tenrec.command("One", definition).build();
      Command<String, String> other =
          scenario
              .tenrec
              .command("Other", definition)
              .fallback((argument, cause) -> "given")
              .build();

      assertThat(scenario.call(one, "x").value()).startsWith("inherited");
      assertThat(scenario.call(other, "x").value()).isEqualTo("given");
      Scenario.assertCounted(one, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    }
  }

  @Test
  void guard_fallback_getsTheCause() throws Exception {
    try (Tenrec tenrec = Unhurried.tenrec()) {
      Guard guard = tenrec.guard("Stock").semaphore(1).build();
      IOException mine = new IOException("mine");

      Throwable given =
          guard.<Throwable>call(
              () -> {
                throw mine;
              },
              cause -> cause);

      assertThat(given).isSameAs(mine);
      assertThatThrownBy(
              () ->
                  guard.call(
                      () -> {
                        throw new IllegalStateException("no fallback");
                      }))
          .hasMessage("no fallback");
    }
  }
}
