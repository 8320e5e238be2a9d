// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stream as a publisher, in manual time. */
class PublisherTest {

  private final Tenrec tenrec = Tenrec.create();
  private final ManualTime time = new ManualTime();
  private final HystrixStream stream =
      HystrixStream.builder(tenrec).time(time, time).maxClients(2).build();

  @AfterEach
  void stop() {
    stream.close();
    tenrec.close();
  }

  private Flowable<byte[]> open() {
    return stream.open(StreamKind.DASHBOARD).orElseThrow();
  }

  /** Waits until the feed's thread has nothing to do before the next beat. */
  private void awaitBeat() {
    await().until(() -> !time.waiting().isEmpty());
  }

  private void beatSeenBy(TestSubscriber<byte[]> client) {
    awaitBeat();
    int before = client.values().size();
    time.advanceMillis(500);
    await().until(() -> client.values().size() > before);
  }

  private static String text(byte[] part) {
    return new String(part, UTF_8);
  }

  @Test
  void parts_asTimeGoesOn_arePingAndReadingEachHalfSecond() {
    tenrec.command("One", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    TestSubscriber<byte[]> client = open().test();
    // the first ping gives way to the first reading if that is there before the subscriber
    await().until(() -> client.values().stream().anyMatch(part -> text(part).startsWith("data: ")));
    assertThat(client.values()).hasSizeBetween(1, 2);
    int first = client.values().size();
    awaitBeat();
    time.advanceMillis(499);
    awaitBeat(); // a beat that was due by now is over
    assertThat(client.values()).as("before the half second is over").hasSize(first);
    time.advanceMillis(1);
    await().until(() -> client.values().size() == first + 2);
    assertThat(text(client.values().get(first - 1)))
        .startsWith("data: {\"type\":\"HystrixCommand\",\"name\":\"One\",")
        .endsWith("}\n\n");
    assertThat(text(client.values().get(first))).isEqualTo("ping: \n\n");
    assertThat(text(client.values().get(first + 1))).startsWith("data: ");
    beatSeenBy(client);
    awaitBeat();
    assertThat(client.values()).hasSize(first + 4);
    client.cancel();
    await().until(() -> stream.clients(StreamKind.DASHBOARD) == 0);
  }

  @Test
  void client_thatAsksForNothing_isBehindByOneReadingAndGivenUpInTime() {
    tenrec.command("One", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    TestSubscriber<byte[]> slow = open().test(1);
    TestSubscriber<byte[]> fast = open().test();
    await().until(() -> slow.values().size() == 1);
    for (int beats = 0; beats < 19; beats++) {
      beatSeenBy(fast);
    }
    assertThat(stream.clients(StreamKind.DASHBOARD)).isEqualTo(2);
    slow.request(1); // takes the latest, and is in time again
    await().until(() -> slow.values().size() == 2);
    for (int beats = 0; beats < 22; beats++) {
      beatSeenBy(fast);
    }
    slow.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertComplete();
    assertThat(slow.values()).hasSize(2);
    assertThat(stream.clients(StreamKind.DASHBOARD)).isEqualTo(1);
  }

  @Test
  void thousandCommands_madeAndRemovedInTurn_areGoneFromEveryStream() {
    tenrec.command("Stays", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    TestSubscriber<byte[]> client = open().test();
    for (int i = 0; i < 1_000; i++) {
      String key = "Passing" + i;
      tenrec
          .command(key, (Integer n) -> n)
          .isolation(Isolation.semaphore(1))
          .withoutTimeout()
          .build()
          .execute(i);
      if (i % 250 == 0) { // the client has seen some of them
        awaitReading(client, part -> part.contains(key));
      }
      assertThat(tenrec.remove(key)).isTrue();
    }
    awaitReading(client, part -> part.contains("Stays") && !part.contains("Passing"));
    for (StreamKind kind : List.of(StreamKind.UTILIZATION, StreamKind.CONFIG)) {
      String reading =
          stream
              .open(kind)
              .orElseThrow()
              .map(PublisherTest::text)
              .filter(part -> part.startsWith("data: "))
              .timeout(PatientWaits.seconds(), TimeUnit.SECONDS)
              .blockingFirst();
      assertThat(reading).contains("Stays").doesNotContain("Passing");
    }
  }

  private void awaitReading(TestSubscriber<byte[]> client, Predicate<String> wanted) {
    int from = client.values().size();
    await()
        .until(
            () -> {
              beatSeenBy(client);
              // by index: more may come meanwhile
              return IntStream.range(from, client.values().size())
                  .mapToObj(at -> text(client.values().get(at)))
                  .anyMatch(part -> part.startsWith("data: ") && wanted.test(part));
            });
  }

  @Test
  void places_unlessSaidOtherwise_areFiveOfEachStream() {
    try (HystrixStream plain = HystrixStream.builder(tenrec).time(time, time).build()) {
      for (StreamKind kind : StreamKind.values()) {
        for (int i = 0; i < 5; i++) {
          assertThat(plain.open(kind)).as("%s, %s before it", kind, i).isPresent();
        }
        assertThat(plain.open(kind)).as("%s, the sixth", kind).isEmpty();
      }
    }
  }

  @Test
  void place_thatIsTakenTwice_isRefusedToTheSecond() {
    Flowable<byte[]> place = open();
    TestSubscriber<byte[]> first = place.test();
    place.test().assertError(IllegalStateException.class);
    first.assertNoErrors();
    open();
    assertThat(stream.open(StreamKind.DASHBOARD)).isEmpty();
    stream.close();
    first.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertComplete();
    assertThat(stream.open(StreamKind.CONFIG)).isEmpty();
  }
}
