// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.Command;
import dev.tenrec.core.Guard;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.view.CommandDetails;
import org.jspecify.annotations.Nullable;

/** Assertions in the manner of AssertJ, beside whose own {@code assertThat} they can stand. */
public final class TenrecAssertions {

  private TenrecAssertions() {}

  /** Begins an assertion on how a call ended. */
  public static <R extends @Nullable Object> OutcomeAssert<R> assertThat(
      @Nullable Outcome<R> actual) {
    return new OutcomeAssert<>(actual);
  }

  /** Begins an assertion on a command: its circuit, its counts, its permits. */
  public static CommandAssert assertThat(Command<?, ?> actual) {
    return new CommandAssert(actual.view());
  }

  /** Begins an assertion on a stream command. */
  public static CommandAssert assertThat(StreamCommand<?, ?> actual) {
    return new CommandAssert(actual.view());
  }

  /** Begins an assertion on a guard. */
  public static CommandAssert assertThat(Guard actual) {
    return new CommandAssert(actual.view());
  }

  /** Begins an assertion on the command of a view, as {@code tenrec.commands()} has them. */
  public static CommandAssert assertThat(@Nullable CommandDetails actual) {
    return new CommandAssert(actual);
  }
}
