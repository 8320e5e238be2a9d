// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.outcome.CommandFailedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.observers.TestObserver;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ways to call a command, each brought to the same shape. */
public enum Door {
  EXECUTE {
    @Override
    public Answer call(
        Command<String, String> command,
        @Nullable String argument,
        Consumer<Runnable> cancellable) {
      try {
        return Answer.value(command.execute(argument));
      } catch (CommandFailedException wrapped) {
        Throwable cause = wrapped.getCause();
        assertThat(cause)
            .isNotInstanceOfAny(RuntimeException.class, Error.class, CommandFailedException.class);
        return Answer.error(cause);
      } catch (Throwable thrown) {
        return Answer.error(thrown);
      }
    }
  },

  EXECUTE_ASYNC {
    @Override
    public Answer call(
        Command<String, String> command, @Nullable String argument, Consumer<Runnable> cancellable)
        throws InterruptedException, TimeoutException {
      CompletableFuture<String> future = command.executeAsync(argument);
      cancellable.accept(() -> assertThat(future.cancel(true)).isTrue());
      try {
        return future
            .handle((value, error) -> new Answer(value, error, null))
            .get(PatientWaits.seconds(), TimeUnit.SECONDS);
      } catch (ExecutionException impossible) {
        throw new AssertionError(impossible);
      }
    }
  },

  TO_SINGLE {
    @Override
    public Answer call(
        Command<String, String> command, @Nullable String argument, Consumer<Runnable> cancellable)
        throws InterruptedException {
      TestObserver<String> observer = new TestObserver<>();
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      command
          .toSingle(argument)
          .doOnEvent((value, error) -> answer.complete(new Answer(value, error, null)))
          .subscribe(observer);
      cancellable.accept(
          () -> {
            observer.dispose();
            observer.assertEmpty(); // a disposed observer receives nothing
            answer.complete(Answer.error(new CancellationException("disposed")));
          });
      try {
        return answer.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException never) {
        throw new AssertionError("no ending in time", never);
      }
    }
  },

  ATTEMPT {
    @Override
    public Answer call(
        Command<String, String> command,
        @Nullable String argument,
        Consumer<Runnable> cancellable) {
      Outcome<String> outcome = command.attempt(argument);
      return Answer.outcome(outcome);
    }
  },

  ATTEMPT_ASYNC {
    @Override
    public Answer call(
        Command<String, String> command, @Nullable String argument, Consumer<Runnable> cancellable)
        throws InterruptedException, TimeoutException {
      CompletableFuture<Outcome<String>> future = command.attemptAsync(argument);
      cancellable.accept(() -> assertThat(future.cancel(true)).isTrue());
      try {
        return future
            .handle((outcome, error) -> error == null ? Answer.outcome(outcome) : cancelled(error))
            .get(PatientWaits.seconds(), TimeUnit.SECONDS);
      } catch (ExecutionException impossible) {
        throw new AssertionError(impossible);
      }
    }

    /** It never fails, so this is what the test itself did. */
    private Answer cancelled(Throwable error) {
      assertThat(error).isInstanceOf(CancellationException.class);
      return Answer.error(error);
    }
  },

  ATTEMPT_SINGLE {
    @Override
    public Answer call(
        Command<String, String> command, @Nullable String argument, Consumer<Runnable> cancellable)
        throws InterruptedException {
      TestObserver<Outcome<String>> observer = new TestObserver<>();
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      command
          .attemptSingle(argument)
          .doOnSuccess(outcome -> answer.complete(Answer.outcome(outcome)))
          .subscribe(observer);
      cancellable.accept(
          () -> {
            observer.dispose();
            observer.assertEmpty(); // a disposed observer receives nothing
            answer.complete(Answer.error(new CancellationException("disposed")));
          });
      try {
        return answer.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException never) {
        throw new AssertionError("no ending in time", never);
      }
    }
  };

  /**
   * Calls and waits for the end.
   *
   * @param cancellable is given what cancels the call, before the waiting; not at doors that only
   *     an interrupt reaches
   */
  public abstract Answer call(
      Command<String, String> command, @Nullable String argument, Consumer<Runnable> cancellable)
      throws Exception;

  /** Those whose caller waits in the call. */
  public static List<Door> waiting() {
    return Stream.of(values()).filter(Door::callerWaits).toList();
  }

  /** Those whose caller does not, where the work runs elsewhere. */
  public static List<Door> notWaiting() {
    return Stream.of(values()).filter(door -> !door.callerWaits()).toList();
  }

  public boolean callerWaits() {
    return this == EXECUTE || this == ATTEMPT;
  }

  /** What the caller got; the outcome only at the doors that have one. */
  public record Answer(
      @Nullable String value, @Nullable Throwable error, @Nullable Outcome<String> outcome) {

    public static Answer outcome(Outcome<String> outcome) {
      return new Answer(outcome.value(), outcome.error(), outcome);
    }

    public static Answer value(@Nullable String value) {
      return new Answer(value, null, null);
    }

    public static Answer error(@Nullable Throwable error) {
      return new Answer(null, error, null);
    }
  }
}
