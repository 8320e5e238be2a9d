// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stream as a publisher, in manual time. */
class PublisherTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

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

  /** Lets the feed's thread have its next beat, when it waits for it. */
  private void beat(int millis) {
    await().atMost(PATIENCE).until(() -> !time.waiting().isEmpty());
    time.advanceMillis(millis);
  }

  private void beatSeenBy(TestSubscriber<byte[]> client) {
    int before = client.values().size();
    beat(500);
    await().atMost(PATIENCE).until(() -> client.values().size() > before);
  }

  private static String text(byte[] part) {
    return new String(part, UTF_8);
  }

  @Test
  void parts_asTimeGoesOn_arePingAndReadingEachHalfSecond() {
    tenrec.command("One", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    TestSubscriber<byte[]> client = open().test();
    client.awaitCount(2);
    beat(500);
    client.awaitCount(4);
    assertThat(client.values()).hasSizeGreaterThanOrEqualTo(4);
    assertThat(text(client.values().get(0))).isEqualTo("ping: \n\n");
    assertThat(text(client.values().get(1)))
        .startsWith("data: {\"type\":\"HystrixCommand\",\"name\":\"One\",")
        .endsWith("}\n\n");
    assertThat(text(client.values().get(2))).isEqualTo("ping: \n\n");
    assertThat(text(client.values().get(3))).startsWith("data: ");
    client.cancel();
    await().atMost(PATIENCE).until(() -> stream.clients(StreamKind.DASHBOARD) == 0);
  }

  @Test
  void client_thatAsksForNothing_isBehindByOneReadingAndGivenUpInTime() {
    tenrec.command("One", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    TestSubscriber<byte[]> slow = open().test(1);
    TestSubscriber<byte[]> fast = open().test();
    slow.awaitCount(1);
    for (int beats = 0; beats < 19; beats++) {
      beatSeenBy(fast);
    }
    assertThat(stream.clients(StreamKind.DASHBOARD)).isEqualTo(2);
    slow.request(1); // takes the latest, and is in time again
    slow.awaitCount(2);
    assertThat(slow.values()).hasSize(2);
    for (int beats = 0; beats < 22; beats++) {
      beatSeenBy(fast);
    }
    slow.awaitDone(20, TimeUnit.SECONDS).assertComplete();
    assertThat(slow.values()).hasSize(2);
    assertThat(stream.clients(StreamKind.DASHBOARD)).isEqualTo(1);
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
    first.awaitDone(20, TimeUnit.SECONDS).assertComplete();
    assertThat(stream.open(StreamKind.CONFIG)).isEmpty();
  }
}
