// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.FailedResultException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing is added to an exception that was not made for the very call. */
class ForeignExceptionTest {

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void rememberedExceptionOfAnotherCommand_asTheCause_isLeftAsItIs(Way way, Door door)
      throws Exception {
    CommandTimeoutException remembered = new CommandTimeoutException("Inner", 1, 2, true, false);
    FailedResultException failed = new FailedResultException("Subject", "bad", false);
    for (CommandException cause : List.of(remembered, failed)) {
      try (Scenario scenario = new Scenario(way, door)) {
        Command<String, String> command =
            scenario
                .command(
                    argument -> {
                      throw cause;
                    })
                .fallback(ForeignExceptionTest::failing)
                .build();

        for (int i = 0; i < 3; i++) {
          assertThat(scenario.call(command, "x").error()).isSameAs(cause);
        }

        assertThat(cause.getSuppressed()).isEmpty();
      }
    }
  }

  private enum Why {
    FAILED_RESULT(
        scenario -> scenario.command(argument -> "bad").failIf(result -> true),
        FailedResultException.class),
    TIMEOUT(Scenario::late, CommandTimeoutException.class),
    REJECTION(Scenario::rejected, CommandException.class),
    OPEN_CIRCUIT(
        scenario ->
            scenario.command(argument -> argument).property("circuitBreaker.forceOpen", "true"),
        CommandException.class);

    final Function<Scenario, CommandBuilder<String, String>> builder;
    final Class<? extends Throwable> type;

    Why(
        Function<Scenario, CommandBuilder<String, String>> builder,
        Class<? extends Throwable> type) {
      this.builder = builder;
      this.type = type;
    }
  }

  static Stream<Arguments> whysEverywhere() {
    return Stream.of(Why.values())
        .flatMap(why -> everywhere().map(at -> Arguments.of(why, at.get()[0], at.get()[1])));
  }

  @ParameterizedTest
  @MethodSource("whysEverywhere")
  void fallbackThatWrapsItsCause_isReportedWithIt_andMakesNoCycle(Why why, Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      List<Throwable> causes = Collections.synchronizedList(new ArrayList<>());
      Command<String, String> command =
          why.builder
              .apply(scenario)
              .fallback(
                  (argument, cause) -> {
                    causes.add(cause);
                    throw new IllegalStateException("no answer either", cause);
                  })
              .build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.error()).isInstanceOf(why.type).hasMessage(causes.get(0).getMessage());
      assertThat(answer.error().getSuppressed())
          .singleElement()
          .satisfies(error -> assertThat(error).hasCause(causes.get(0)));
      assertThat(causes.get(0).getSuppressed()).isEmpty();
      assertNoCycle(answer.error(), Collections.newSetFromMap(new IdentityHashMap<>()));
    }
  }

  private static void assertNoCycle(@Nullable Throwable thrown, Set<Throwable> above) {
    if (thrown == null) {
      return;
    }
    assertThat(above.add(thrown)).as("%s leads to itself", thrown).isTrue();
    assertNoCycle(thrown.getCause(), above);
    for (Throwable suppressed : thrown.getSuppressed()) {
      assertNoCycle(suppressed, above);
    }
    above.remove(thrown);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void contextThatCannotBePutBack_addsNothingToWhatTheWorkThrew(Way way, Door door)
      throws Exception {
    IllegalArgumentException remembered = new IllegalArgumentException("from the work");
    TenrecBuilder builder =
        Unhurried.builder()
            .propagate(ForeignExceptionTest::failingToClose)
            .propagate(ForeignExceptionTest::failingToClose);
    try (Scenario scenario = new Scenario(way, door, builder)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw remembered;
                  })
              .fallback(
                  (argument, cause) -> {
                    throw remembered;
                  })
              .build();

      for (int i = 0; i < 3; i++) {
        assertThat(scenario.call(command, "x").error()).isSameAs(remembered);
      }

      assertThat(remembered.getSuppressed()).isEmpty();
    }
  }

  @Test
  void contextThatCannotBeInstalled_getsNothingFromThoseThatCannotBePutBack() throws Exception {
    IllegalStateException remembered = new IllegalStateException("not to be installed");
    TenrecBuilder builder =
        Unhurried.builder()
            .propagate(ForeignExceptionTest::failingToClose)
            .propagate(
                () ->
                    () -> {
                      throw remembered;
                    });
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE, builder)) {
      Command<String, String> command = scenario.command(argument -> argument).build();

      for (int i = 0; i < 3; i++) {
        assertThat(scenario.call(command, "x").error()).isSameAs(remembered);
      }

      assertThat(remembered.getSuppressed()).isEmpty();
    }
  }

  @Test
  void stageThatCannotBeCancelled_addsNothingToWhatWasThrown() throws Exception {
    IllegalStateException remembered = new IllegalStateException("cannot be put back");
    TenrecBuilder builder =
        Unhurried.builder()
            .propagate(
                () ->
                    () ->
                        () -> {
                          throw remembered;
                        });
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE, builder)) {
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand("Subject", (String argument) -> new Uncancellable())
              .isolation(Way.POOL.isolation())
              .build();

      for (int i = 0; i < 3; i++) {
        assertThat(scenario.call(command, "x").error()).isSameAs(remembered);
      }

      assertThat(remembered.getSuppressed()).isEmpty();
    }
  }

  /** One that is not the JDK's. */
  private static final class Uncancellable extends CompletableFuture<String> {

    @Override
    public CompletableFuture<String> toCompletableFuture() {
      throw new UnsupportedOperationException("not this one");
    }
  }

  private static ContextPropagator.Captured failingToClose() {
    return () ->
        () -> {
          throw new IllegalStateException("cannot be put back");
        };
  }

  private static String failing(String argument, Throwable cause) {
    throw new IllegalStateException("no answer either");
  }
}
