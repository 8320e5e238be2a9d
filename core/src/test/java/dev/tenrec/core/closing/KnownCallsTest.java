// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.TestObserver;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that a Tenrec keeps for its closing are let go when they end, or it would fill up. */
class KnownCallsTest {

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());

  private static CommandBuilder<String, String> timed(
      CommandBuilder<String, String> builder, boolean timed) {
    return timed ? builder.timeout(Duration.ofSeconds(1)) : builder.withoutTimeout();
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void stage_thatHasEnded_isKeptNoMore(boolean timed, boolean fails) {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        timed(tenrec.asyncCommand("Subject", (String argument) -> stage), timed)
            .isolation(Isolation.semaphore(1))
            .fallback((argument, cause) -> "instead")
            .build();
    CompletableFuture<String> call = command.executeAsync("x");
    assertThat(Inside.stages(command.view())).as("else the timer has it").isEqualTo(timed ? 0 : 1);

    CompletableFuture<Boolean> ended =
        Elsewhere.call(
            () ->
                fails
                    ? stage.completeExceptionally(new IllegalStateException("work"))
                    : stage.complete("done"));

    assertThat(ended).succeedsWithin(PatientWaits.patience());
    assertThat(call).succeedsWithin(PatientWaits.patience()).isEqualTo(fails ? "instead" : "done");
    assertThat(Inside.stages(command.view())).isZero();
  }

  /** The timer has kept it until then. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stage_thatClosingCancels_isKeptUntilItEnds(boolean obeys) {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletionStage<String> stage = obeys ? work : work.minimalCompletionStage();
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", (String argument) -> stage)
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofSeconds(1))
            .build();
    CompletableFuture<String> call = command.executeAsync("x");

    assertThat(tenrec.close(Duration.ZERO)).as("a stage has no thread of ours").isEmpty();

    assertThat(call).isCompletedExceptionally();
    assertThat(Inside.stages(command.view())).isEqualTo(obeys ? 0 : 1);
    boolean unused = work.complete("late");
    assertThat(Inside.stages(command.view())).isZero();
  }

  /** Closing is over by then, and ends it no more. */
  @Test
  void stage_thatItsStartReturnsAfterClosing_isEndedWhereItStarts() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "Subject",
                (String argument) -> {
                  assertThat(tenrec.close(Duration.ZERO)).hasSize(1);
                  return stage;
                })
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .build();

    CompletableFuture<CompletableFuture<String>> call =
        Elsewhere.call(() -> command.executeAsync("x"));

    assertThat(call).succeedsWithin(PatientWaits.patience());
    assertThat(call.join())
        .failsWithin(PatientWaits.patience())
        .withThrowableThat()
        .isInstanceOf(CancellationException.class);
    stage.complete("late");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void workOnItsCallersThread_thatHasEnded_isKeptNoMore(boolean fails) {
    CompletableFuture<Integer> known = new CompletableFuture<>();
    Command<String, String>[] self = newArray();
    self[0] =
        tenrec
            .command(
                "Subject",
                (String argument, Call call) -> {
                  known.complete(Inside.stages(self[0].view()));
                  if (fails) {
                    throw new IllegalStateException("work");
                  }
                  return "done";
                })
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .fallback((argument, cause) -> "instead")
            .build();

    assertThat(self[0].execute("x")).isEqualTo(fails ? "instead" : "done");

    assertThat(known).isCompletedWithValue(1);
    assertThat(Inside.stages(self[0].view())).isZero();
  }

  @Test
  void workOnItsCallersThread_thatWasGivenUp_isKeptNoMoreWhenItEnds() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch givenUp = new CountDownLatch(1);
    CompletableFuture<Disposable> subscribed = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .command(
                "Subject",
                (String argument, Call call) -> {
                  call.onCancel(givenUp::countDown);
                  begun.countDown();
                  Uninterruptibly.await(givenUp);
                  return "late";
                })
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .build();
    CompletableFuture<Boolean> caller =
        Elsewhere.call(
            () -> {
              Disposable call =
                  command.toSingle("x").doOnSubscribe(subscribed::complete).subscribe();
              return call.isDisposed();
            });
    Uninterruptibly.await(begun);
    assertThat(Inside.stages(command.view())).isEqualTo(1);

    assertThat(subscribed).as("before the work began").isCompleted();
    subscribed.join().dispose();

    assertThat(caller).succeedsWithin(PatientWaits.patience());
    Scenario.await().until(() -> command.view().stillBusy() == 0);
    assertThat(Inside.stages(command.view())).isZero();
  }

  /** At each reading of the clock on its way; one of them is just before the work would begin. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void workOnItsCallersThread_thatIsGivenUpOnItsWay_isKeptNoMore(int reading) {
    InterludeTime interludes = new InterludeTime(time);
    Tenrec timed = leaks.watch(Tenrec.builder().time(interludes, time).build());
    AtomicBoolean disposed = new AtomicBoolean();
    Command<String, String> command =
        timed
            .command("Subject", (String argument, Call call) -> argument)
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .build();

    Disposable unused =
        command
            .toSingle("x")
            .doOnSubscribe(
                subscribed ->
                    interludes.atMyReading(
                        reading,
                        () -> {
                          disposed.set(true);
                          subscribed.dispose();
                        }))
            .subscribe();

    assertThat(disposed).as("the clock is read so often").isTrue();
    assertThat(Inside.stages(command.view())).isZero();
  }

  /** By the user's code that says by which key the rate is limited. */
  @Test
  void callThatIsGivenUpAtTheGates_isKeptNoMore() {
    AtomicReference<Disposable> call = new AtomicReference<>();
    AtomicBoolean ran = new AtomicBoolean();
    Command<String, String> command =
        tenrec
            .command("Subject", (String argument, Call own) -> ran.getAndSet(true) ? "" : argument)
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .rateLimit(1, Duration.ofSeconds(1), 1)
            .rateLimitKey(
                argument -> {
                  call.get().dispose();
                  return argument;
                })
            .build();

    TestObserver<String> observer = command.toSingle("x").doOnSubscribe(call::set).test();

    observer.assertEmpty();
    assertThat(ran).isFalse();
    assertThat(command.view().cumulativeCount(EventType.CANCELLED)).isOne();
    assertThat(Inside.stages(command.view())).isZero();
  }

  @SuppressWarnings("unchecked")
  private static Command<String, String>[] newArray() {
    return new Command[1];
  }
}
