// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandFailedException;
import dev.tenrec.core.outcome.Described;
import dev.tenrec.core.outcome.FailedResultException;
import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.core.outcome.Outcome;
import java.util.AbstractList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nothing of a user's object but its type and size is in a message, and no ending is lost by it.
 */
class RudeObjectTest {

  private final Tenrec tenrec = Unhurried.tenrec();

  @AfterEach
  void close() {
    tenrec.close();
  }

  /** Has nothing that does not throw. */
  private static final class Rude {
    @Override
    public String toString() {
      throw new IllegalStateException("toString");
    }

    @Override
    public boolean equals(Object other) {
      throw new IllegalStateException("equals");
    }

    @Override
    public int hashCode() {
      throw new IllegalStateException("hashCode");
    }
  }

  private static final class RudeException extends Exception {
    @Override
    public String getMessage() {
      throw new IllegalStateException("getMessage");
    }
  }

  /** Whose size is no size. */
  private static final class RudeList extends AbstractList<String> {
    @Override
    public String get(int index) {
      return "";
    }

    @Override
    public int size() {
      throw new IllegalStateException("size");
    }
  }

  @Test
  void failedResult_isNamedByItsType_andKept() {
    Rude result = new Rude();
    Command<Rude, Rude> command =
        tenrec
            .command("Subject", (Rude argument) -> result)
            .isolation(Isolation.semaphore(1))
            .failIf(any -> true)
            .build();

    Throwable thrown = catchThrowable(() -> command.execute(new Rude()));
    Outcome<Rude> outcome = command.attempt(new Rude());

    assertThat(thrown).isInstanceOf(FailedResultException.class);
    assertThat(thrown.getMessage()).endsWith("a failure: " + Rude.class.getName());
    assertThat(((FailedResultException) thrown).result() == result).isTrue();
    assertThat(outcome.explain()).contains(Rude.class.getName());
  }

  @Test
  void failedResult_isNotInTheMessage() {
    Command<String, String> command =
        tenrec.command("Subject", (String argument) -> "secret").failIf(any -> true).build();

    Throwable thrown = catchThrowable(() -> command.execute("x"));

    assertThat(thrown)
        .hasMessage(
            "Subject returned a result that counts as a failure: "
                + "java.lang.String"
                + " of size 6");
  }

  @ParameterizedTest
  @MethodSource("dev.tenrec.core.kit.Scenario#everywhere")
  void exceptionWithoutWords_reachesTheCallerAsItIs(Way way, Door door) throws Exception {
    RudeException first = new RudeException();
    RudeException second = new RudeException();
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw first;
                  })
              .fallback(
                  (argument, cause) -> {
                    throw second;
                  })
              .build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.error() == first).isTrue();
      if (answer.outcome() != null) {
        assertThat(answer.outcome().explain()).contains(RudeException.class.getName());
      }
    }
  }

  @Test
  void checkedExceptionWithoutWords_isWrapped() {
    RudeException first = new RudeException();
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Subject",
                argument -> {
                  throw first;
                })
            .build();

    Throwable thrown = catchThrowable(() -> command.execute("x"));

    assertThat(thrown).isInstanceOf(CommandFailedException.class);
    assertThat(thrown.getCause() == first).isTrue();
    assertThat(thrown.getMessage()).isEqualTo("Subject failed: " + RudeException.class.getName());
  }

  @Test
  void missingAndUnknownAnswers_areNamedByTheirTypes() {
    record Id(int number) {
      @Override
      public String toString() {
        throw new IllegalStateException("toString");
      }
    }
    Collapser<Id, String> collapser =
        tenrec
            .<Id, String>collapser("Names", ids -> Map.of(new Id(2), "nobody asked for it"))
            .globalScope()
            .build();

    Throwable thrown = catchThrowable(() -> collapser.execute(new Id(1)));

    assertThat(thrown).isInstanceOf(MissingAnswerException.class);
    assertThat(thrown.getMessage()).contains("(" + Id.class.getName() + ")");
    assertThat(((MissingAnswerException) thrown).argument()).isEqualTo(new Id(1));
  }

  @Test
  void answersThatCannotBeCompared_failTheirBatch() {
    Collapser<String, String> collapser =
        tenrec
            .<String, String>collapser(
                "Names",
                ids -> {
                  @SuppressWarnings({"unchecked", "rawtypes"}) // as a library might
                  Map<String, String> map = new IdentityHashMap();
                  ((Map) map).put(new Rude(), "x");
                  return map;
                })
            .globalScope()
            .build();

    assertThat(catchThrowable(() -> collapser.execute("a"))).hasMessage("hashCode");
  }

  @Test
  void sizes_areReportedOfWhatHasOne() {
    assertThat(Described.value(null)).isEqualTo("null");
    assertThat(Described.value(List.of(1, 2))).endsWith(" of size 2");
    assertThat(Described.value(Map.of(1, 2))).endsWith(" of size 1");
    assertThat(Described.value(new int[3])).isEqualTo("int[] of size 3");
    assertThat(Described.value(7)).isEqualTo("java.lang.Integer");
    assertThat(Described.value(new RudeList())).isEqualTo(RudeList.class.getName());
  }
}
