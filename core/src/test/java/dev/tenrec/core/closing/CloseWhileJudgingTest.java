// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The work has stopped, and user code that looks at its result does not come back. */
class CloseWhileJudgingTest {

  private static final String BAD = "bad";

  private final CountDownLatch judging = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void goOn() {
    over.countDown();
  }

  private boolean hang() {
    judging.countDown();
    Uninterruptibly.await(over);
    return false;
  }

  static Stream<UnaryOperator<CommandBuilder<String, String>>> isolations() {
    return Stream.of(
        builder -> builder.isolation(Isolation.threadPool()).timeout(Duration.ofMinutes(10)),
        builder -> builder.isolation(Isolation.threadPool()).withoutTimeout());
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void callWhoseResultIsJudgedForEver_ends(UnaryOperator<CommandBuilder<String, String>> how)
      throws Exception {
    endsAtClose(Tenrec.create(), builder -> how.apply(builder).failIf(result -> hang()), "x");
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void callWhoseFailureIsJudgedForEver_ends(UnaryOperator<CommandBuilder<String, String>> how)
      throws Exception {
    endsAtClose(Tenrec.create(), builder -> how.apply(builder).ignoreIf(thrown -> hang()), BAD);
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void callWhoseWorkIsReportedForEver_ends(UnaryOperator<CommandBuilder<String, String>> how)
      throws Exception {
    CommandListener slow =
        new CommandListener() {
          @Override
          public void onWorkSuccess(ListenedCall call, @Nullable Object value) {
            boolean unused = hang();
          }
        };
    endsAtClose(Tenrec.builder().listen(slow).build(), how, "x");
  }

  /** Its first attempt has failed, and the next has not begun. */
  @ParameterizedTest
  @MethodSource("isolations")
  void callWhoseNextAttemptIsReportedForEver_ends(UnaryOperator<CommandBuilder<String, String>> how)
      throws Exception {
    CommandListener slow =
        new CommandListener() {
          @Override
          public void onAttempt(ListenedCall call, int attempt, Throwable failure) {
            boolean unused = hang();
          }
        };
    Tenrec tenrec = Tenrec.builder().listen(slow).build();
    CompletableFuture<String> future = judged(tenrec, retried(how), BAD);

    List<StillRunning> unused = tenrec.close(Duration.ZERO);

    endsCancelled(future);
  }

  /** No timer has it, and no thread of Tenrec's. */
  @Test
  void stageWithoutATimeOut_whoseResultIsJudgedForEver_ends() throws Exception {
    Tenrec tenrec = Tenrec.create();
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand("Judged", (String text) -> stage)
            .withoutTimeout()
            .failIf(result -> hang())
            .build();
    CompletableFuture<String> future = command.executeAsync("x");
    Thread completing = Elsewhere.start(() -> stage.complete("y"));
    assertThat(judging.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    List<StillRunning> unused = tenrec.close(Duration.ZERO);

    endsCancelled(future);
    over.countDown();
    completing.join();
  }

  private static UnaryOperator<CommandBuilder<String, String>> retried(
      UnaryOperator<CommandBuilder<String, String>> how) {
    return builder -> how.apply(builder).retry(Retry.attempts(2));
  }

  private void endsAtClose(
      Tenrec tenrec, UnaryOperator<CommandBuilder<String, String>> how, String argument)
      throws Exception {
    CompletableFuture<String> future = judged(tenrec, how, argument);

    // the call's own end may be on its way on a callback thread, and is reported besides
    assertThat(tenrec.close(Duration.ZERO))
        .extracting(StillRunning::thread)
        .contains("tenrec-Judged-1");

    endsCancelled(future);
  }

  /** A call that is at the user code that does not come back. */
  private CompletableFuture<String> judged(
      Tenrec tenrec, UnaryOperator<CommandBuilder<String, String>> how, String argument)
      throws Exception {
    Command<String, String> command =
        how.apply(
                tenrec
                    .command(
                        "Judged",
                        (String text) -> {
                          if (text.equals(BAD)) {
                            throw new IllegalArgumentException(text);
                          }
                          return text;
                        })
                    .timeout(Duration.ofHours(1)))
            .build();
    CompletableFuture<String> future = command.executeAsync(argument);
    assertThat(judging.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    return future;
  }

  private static void endsCancelled(CompletableFuture<String> future) {
    assertThatThrownBy(() -> future.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .satisfiesAnyOf(
            thrown -> assertThat(thrown).isInstanceOf(CancellationException.class),
            thrown ->
                assertThat(thrown)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(CancellationException.class));
  }
}
