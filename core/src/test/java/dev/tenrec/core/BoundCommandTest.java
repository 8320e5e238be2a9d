// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Single;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A command with its argument has the doors of the command. */
class BoundCommandTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final AtomicInteger runs = new AtomicInteger();

  @AfterEach
  void close() {
    assertThat(tenrec.close(Duration.ofSeconds(60))).isEmpty();
  }

  private Command<Integer, String> squares() {
    return tenrec
        .<Integer, String>command(
            "Square", number -> runs.incrementAndGet() + ": " + number * number)
        .isolation(Isolation.semaphore(10))
        .build();
  }

  @Test
  void doors_ofABoundCommand_areThoseOfTheCommand() throws Exception {
    Command<Integer, String> command = squares();
    BoundCommand<String> bound = command.with(3);

    assertThat(runs).hasValue(0);
    assertThat(bound.execute()).isEqualTo("1: 9");
    assertThat(bound.attempt().value()).isEqualTo("2: 9");
    assertThat(bound.executeAsync().get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isEqualTo("3: 9");
    assertThat(bound.attemptAsync().get(PatientWaits.seconds(), TimeUnit.SECONDS).value())
        .isEqualTo("4: 9");
    Single<String> cold = bound.toSingle();
    assertThat(runs).hasValue(4);
    assertThat(cold.blockingGet()).isEqualTo("5: 9");
    assertThat(cold.blockingGet()).isEqualTo("6: 9");
    assertThat(bound.attemptSingle().blockingGet().value()).isEqualTo("7: 9");
    assertThat(bound.toMaybe().blockingGet()).isEqualTo("8: 9");
    List<Object> received = new ArrayList<>();
    var unused =
        bound.execute(
            new Receiver<>() {
              @Override
              public void onValue(String value) {
                received.add(value);
              }

              @Override
              public void onError(Throwable error) {
                received.add(error);
              }
            });
    assertThat(received).containsExactly("9: 9");
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(9);
  }

  @Test
  void failure_ofABoundCommand_isThatOfTheWork() {
    IllegalStateException failure = new IllegalStateException("down");
    BoundCommand<String> bound =
        tenrec
            .<String, String>command(
                "Failing",
                argument -> {
                  throw failure;
                })
            .isolation(Isolation.semaphore(10))
            .build()
            .with("x");

    assertThatThrownBy(bound::execute).isSameAs(failure);
    assertThat(bound.attempt().error()).isSameAs(failure);
  }

  @Test
  void with_null_handsNullToTheWork() {
    BoundCommand<Boolean> bound =
        tenrec
            .<@Nullable String, Boolean>command("IsNull", argument -> argument == null)
            .isolation(Isolation.semaphore(10))
            .build()
            .with(null);

    assertThat(bound.execute()).isTrue();
  }

  @Test
  void toString_always_saysKeyAndArgument() {
    assertThat(squares().with(3)).hasToString("Command Square with its argument");
    assertThat(squares().with(3).key()).isEqualTo("Square");
  }
}
