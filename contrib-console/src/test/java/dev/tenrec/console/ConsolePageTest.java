// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How soon something is on the page, and how much is sent for it, in manual time. */
class ConsolePageTest {

  private static final Duration PATIENCE = PatientWaits.patience();

  private final Tenrec tenrec = Tenrec.create();
  private final ManualTime time = new ManualTime();
  private final ConsolePage page = ConsolePage.builder(tenrec).time(time, time).build();

  @AfterEach
  void stop() {
    page.close();
    tenrec.close();
  }

  private Command<Integer, Integer> command(String key) {
    return tenrec
        .command(
            key,
            (Integer i) -> {
              if (i < 0) {
                throw new IllegalStateException("down");
              }
              return i;
            })
        .isolation(Isolation.semaphore(3))
        .errorThreshold(50, 4)
        .sleepWindow(Duration.ofHours(1))
        .build();
  }

  /** The message of the next beat, which comes when the time has gone on by this much. */
  private String after(TestSubscriber<byte[]> reading, int millis) {
    await().atMost(PATIENCE).until(() -> !time.waiting().isEmpty());
    long before = messages(reading).size();
    time.advanceMillis(millis);
    await().atMost(PATIENCE).until(() -> messages(reading).size() > before);
    List<String> all = messages(reading);
    return all.get(all.size() - 1);
  }

  private static Optional<Flowable<byte[]>> stream(ConsolePage of) {
    return of.open(of.answer("GET", "stream", null, name -> null));
  }

  /** All that was sent, but pings. */
  private static List<String> messages(TestSubscriber<byte[]> reading) {
    return List.copyOf(reading.values()).stream()
        .map(part -> new String(part, UTF_8))
        .filter(text -> text.startsWith("data: "))
        .toList();
  }

  @Test
  void circuit_thatOpens_isInTheReadingHalfASecondLater() {
    tenrec.set("tenrec.command.default.metrics.rollingStats.timeInMilliseconds", "600000");
    Command<Integer, Integer> command = command("Down");
    TestSubscriber<byte[]> reading = stream(page).orElseThrow().test();
    await().atMost(PATIENCE).until(() -> !messages(reading).isEmpty());
    assertThat(messages(reading).get(0)).doesNotContain("calls failed");
    for (int beat = 0; beat < 3; beat++) {
      assertThat(after(reading, 500)).doesNotContain("calls failed");
    }
    for (int i = 0; i < 4; i++) {
      command.attempt(-1);
    }
    await()
        .atMost(PATIENCE)
        .until(() -> tenrec.commands().get(0).circuitState() == CircuitState.OPEN);
    assertThat(after(reading, 500)).contains("4 of 4 calls failed");
  }

  @Test
  void stream_ofAThousandCommandsThatAllChange_staysUnderAMegabyteASecond() {
    List<Command<Integer, Integer>> commands = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      commands.add(command("com.example.shop.Service" + i + ".getSomethingOfACertainLength"));
    }
    TestSubscriber<byte[]> reading = stream(page).orElseThrow().test();
    await().atMost(PATIENCE).until(() -> !messages(reading).isEmpty());
    long bytes = 0;
    int rows = 0;
    int seconds = 5;
    for (int beat = 0; beat < 2 * seconds; beat++) {
      for (Command<Integer, Integer> command : commands) {
        command.attempt(beat % 3 - 1); // a third fails, and circuits open
        command.attempt(beat);
      }
      String message = after(reading, 500);
      bytes += message.getBytes(UTF_8).length;
      rows += message.split("\\],\\[", -1).length;
    }
    assertThat(rows).as("that all change").isGreaterThanOrEqualTo(2 * seconds * 1_000);
    assertThat(bytes / seconds).as("bytes a second").isLessThan(1_000_000);
  }

  @Test
  void page_withoutAServer_answersAndIsBounded() {
    ConsolePage small = ConsolePage.builder(tenrec).maxClients(1).build();
    assertThat(small.names()).contains("", "main.js", "stream", "command");
    assertThat(small.answer("GET", "", null, name -> null).status()).isEqualTo(200);
    assertThat(small.answer("GET", "stream", null, name -> null).isStream()).isTrue();
    assertThat(small.answer("GET", "../pom.xml", null, name -> null).status()).isEqualTo(404);
    assertThat(small.answer("POST", "", null, name -> null).headers())
        .containsEntry("Allow", "GET");
    TestSubscriber<byte[]> only = stream(small).orElseThrow().test();
    assertThat(stream(small)).isEmpty();
    only.cancel();
    assertThat(small.clients()).isZero();
    small.close();
    assertThat(stream(small)).isEmpty();
  }
}
