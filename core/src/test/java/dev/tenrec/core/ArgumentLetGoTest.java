// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An argument may be large. Once its call is answered, nothing of Tenrec's keeps it: not the call's
 * future, which its caller may keep, and not the timer, which stands still here.
 */
class ArgumentLetGoTest {

  static Stream<Arguments> everywhere() {
    return Way.all().stream()
        .flatMap(way -> Stream.of(Arguments.of(way, false), Arguments.of(way, true)));
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void argument_ofAnAnsweredCall_isKeptByNothing(Way way, boolean listened) throws Exception {
    ManualTime time = new ManualTime();
    TenrecBuilder builder = Tenrec.builder().time(time, time);
    if (listened) {
      builder.listen(new CommandListener() {});
    }
    Tenrec tenrec = builder.build();
    try {
      CommandBuilder<Object, String> command =
          way == Way.STAGE
              ? tenrec.asyncCommand(
                  "Subject",
                  (Object argument) -> CompletableFuture.supplyAsync(() -> "x", Runnable::run))
              : tenrec.command("Subject", (Object argument) -> "x");
      Calls calls = new Calls(command.isolation(way.isolation()).build());
      WeakReference<Object> argument = calls.make();
      assertLetGo(argument);
      assertThat(calls.future.join()).isEqualTo("x");
    } finally {
      assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    }
  }

  /** Each attempt has it, and its call knows its attempts. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void argument_ofACallWithAttemptsOfTheirOwn_isKeptByNothing(boolean listened) {
    ManualTime time = new ManualTime();
    TenrecBuilder builder = Tenrec.builder().time(time, time);
    if (listened) {
      builder.listen(new CommandListener() {});
    }
    Tenrec tenrec = builder.build();
    try {
      Calls calls =
          new Calls(
              tenrec
                  .command("Subject", (Object argument) -> "x")
                  .hedge(Hedge.after(Duration.ofMillis(10)))
                  .build());
      assertLetGo(calls.make());
      assertThat(calls.future).succeedsWithin(PatientWaits.patience()).isEqualTo("x");
    } finally {
      Elsewhere.close(tenrec, time);
    }
  }

  /** Its own, not that of the call whose answer it shares: that is let go as any other. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void argument_ofAHit_isKeptByNothing(boolean listened) {
    ManualTime time = new ManualTime();
    TenrecBuilder builder = Tenrec.builder().time(time, time);
    if (listened) {
      builder.listen(new CommandListener() {});
    }
    Tenrec tenrec = builder.build();
    CountDownLatch goOn = new CountDownLatch(1);
    try (RequestContext request = tenrec.openRequest()) {
      Command<Object, String> command =
          tenrec
              .command(
                  "Subject",
                  (Object argument) -> {
                    Uninterruptibly.await(goOn);
                    return "x";
                  })
              .isolation(Isolation.threadPool().coreSize(1))
              .cacheKey(argument -> "key")
              .build();
      CompletableFuture<String> first = command.executeAsync(new Object());
      Calls calls = new Calls(command);
      WeakReference<Object> argument = calls.make();
      goOn.countDown();

      assertThat(calls.future).succeedsWithin(PatientWaits.patience()).isEqualTo("x");
      assertLetGo(argument);

      assertThat(first).isCompletedWithValue("x");
      assertThat(command.view().cumulativeCount(EventType.RESPONSE_FROM_CACHE)).isOne();
    } finally {
      Elsewhere.close(tenrec, time);
    }
  }

  private static void assertLetGo(WeakReference<Object> argument) {
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(argument.get()).as("the argument").isNull();
            });
  }

  /** In a frame of its own, which keeps no argument either. */
  private static final class Calls {

    private final Command<Object, String> command;
    private CompletableFuture<String> future;

    private Calls(Command<Object, String> command) {
      this.command = command;
    }

    private WeakReference<Object> make() {
      Object argument = new Object();
      future = command.executeAsync(argument);
      return new WeakReference<>(argument);
    }
  }
}
