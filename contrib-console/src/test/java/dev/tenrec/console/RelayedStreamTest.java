// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.store.MemoryStore;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One instance of a fleet through a page that is in a server of the application's. */
class RelayedStreamTest {

  private static final Duration PATIENCE = PatientWaits.patience();
  private static final List<String> LOOPBACK = List.of("127.0.0.0/8");
  private static final String OF_INSTANCES = "instances-0123456789";
  private static final String STREAM = "instance=shop-8";

  private final MemoryStore engine = new MemoryStore();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final FleetOperator viewer = FleetOperator.of(kept(engine.connect("viewer")));
  private FleetMember member;
  private Console other;

  private <T extends AutoCloseable> T kept(T each) {
    open.add(0, each);
    return each;
  }

  @BeforeEach
  void startInstance() throws Exception {
    member = kept(FleetMember.builder(kept(engine.connect("shop-8")), "shop-8").start());
    Tenrec its = kept(Tenrec.builder().remoteSource(member).build());
    var unused =
        its.command("OnlyThere", (String s) -> s).isolation(Isolation.semaphore(5)).build();
    member.observe(its);
    other = kept(Console.builder(its).token(OF_INSTANCES).start());
    member.console(URI.create("http://127.0.0.1:" + other.address().getPort() + "/tenrec/"));
    await()
        .atMost(PATIENCE)
        .until(() -> viewer.members().stream().anyMatch(each -> each.console() != null));
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private ConsolePage.Builder described() {
    return ConsolePage.builder(kept(Tenrec.create())).fleet(viewer).maxClients(1);
  }

  private ConsolePage page(List<String> networks) {
    return kept(described().instances(networks, OF_INSTANCES).build());
  }

  private static ConsoleAnswer get(ConsolePage page, String name, String query) {
    return page.answer("GET", name, query, header -> null);
  }

  private static String text(ConsoleAnswer answer) {
    return new String(answer.body(), UTF_8);
  }

  private static String text(TestSubscriber<byte[]> subscriber) {
    return subscriber.values().stream()
        .map(part -> new String(part, UTF_8))
        .collect(Collectors.joining());
  }

  /** Asks until there is a place. */
  private static ConsoleAnswer streamOf(ConsolePage page) {
    ConsoleAnswer[] answer = new ConsoleAnswer[1];
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              answer[0] = get(page, "stream", STREAM);
              assertThat(answer[0].status()).isEqualTo(200);
            });
    assertThat(answer[0].isStream()).isTrue();
    return answer[0];
  }

  @Test
  void instance_throughAPage_isSeenWithStreamStoryAndAdvice_untilItGoes() throws Exception {
    ConsolePage page = page(LOOPBACK);
    assertThat(text(get(page, "fleet", null))).contains("\"opens\":true");
    ConsoleAnswer answer = streamOf(page);
    assertThat(answer.headers().get("Content-Type")).startsWith("text/event-stream");
    TestSubscriber<byte[]> subscriber = page.open(answer).orElseThrow().test();
    assertThat(page.open(answer)).as("one subscriber only").isEmpty();
    await().atMost(PATIENCE).until(() -> text(subscriber).contains(",\"OnlyThere\","));
    String id = text(subscriber).replaceAll("(?s).*\\[(\\d+),\"OnlyThere\".*", "$1");
    assertThat(text(get(page, "command", STREAM + "&id=" + id))).contains("\"OnlyThere\"");
    assertThat(text(get(page, "advice", STREAM + "&key=OnlyThere"))).contains("\"OnlyThere\"");
    assertThat(get(page, "stream", STREAM).status()).as("one place").isEqualTo(503);
    other.close();
    await().atMost(PATIENCE).untilAsserted(subscriber::assertComplete);
    assertThat(text(subscriber))
        .endsWith(
            "event: gone\ndata: the instance shop-8 has gone, or does not answer any more\n\n");
    try (Socket nobody = new Socket()) { // another program may have the port that is free now
      nobody.bind(new InetSocketAddress("127.0.0.1", 0));
      member.console(URI.create("http://127.0.0.1:" + nobody.getLocalPort() + "/tenrec/"));
      await()
          .atMost(PATIENCE)
          .until(() -> get(page, "stream", STREAM).status(), status -> status == 502);
    }
  }

  @Test
  void client_thatLeaves_givesTheInstancesPlaceBack() {
    ConsolePage page = page(LOOPBACK);
    TestSubscriber<byte[]> left = page.open(streamOf(page)).orElseThrow().test();
    await().atMost(PATIENCE).until(() -> !left.values().isEmpty());
    left.cancel();
    Flowable<byte[]> next = page.open(streamOf(page)).orElseThrow();
    assertThat(next.blockingFirst()).isNotEmpty();
  }

  @Test
  void answer_thatNobodyOpens_givesTheInstancesPlaceBack() {
    ConsolePage page =
        kept(
            described()
                .stalledAfter(Duration.ofMillis(200))
                .instances(LOOPBACK, OF_INSTANCES)
                .build());
    ConsoleAnswer forgotten = streamOf(page);
    assertThat(streamOf(page)).isNotSameAs(forgotten);
    TestSubscriber<byte[]> late = page.open(forgotten).orElseThrow().test();
    await().atMost(PATIENCE).untilAsserted(late::assertComplete);
    assertThat(late.values()).isEmpty();
  }

  @Test
  void subscriber_thatAsksForNothing_isGivenUp() {
    ConsolePage page =
        kept(
            described()
                .stalledAfter(Duration.ofMillis(200))
                .instances(LOOPBACK, OF_INSTANCES)
                .build());
    TestSubscriber<byte[]> stalled = page.open(streamOf(page)).orElseThrow().test(0);
    await().atMost(PATIENCE).untilAsserted(stalled::assertComplete);
    assertThat(stalled.values()).isEmpty();
    assertThat(streamOf(page).isStream()).isTrue();
  }

  @Test
  void page_thatCloses_endsTheStreamsOfInstances() {
    ConsolePage page = page(LOOPBACK);
    TestSubscriber<byte[]> subscriber = page.open(streamOf(page)).orElseThrow().test();
    page.close();
    await().atMost(PATIENCE).untilAsserted(subscriber::assertComplete);
    assertThat(get(page, "stream", STREAM).status()).isNotEqualTo(200);
  }

  @Test
  void page_thatCloses_endsAStreamThatItsClientDoesNotTake() {
    ConsolePage page =
        kept(
            described()
                .stalledAfter(Duration.ofHours(1))
                .instances(LOOPBACK, OF_INSTANCES)
                .build());
    TestSubscriber<byte[]> stalled = page.open(streamOf(page)).orElseThrow().test(0);
    page.close();
    await().atMost(PATIENCE).untilAsserted(stalled::assertComplete);
  }

  @Test
  void page_always_opensWhatIsRegisteredAndAllowedOnly() {
    ConsolePage elsewhere = page(List.of("10.0.0.0/8"));
    assertThat(get(elsewhere, "stream", STREAM).status()).isEqualTo(403);
    assertThat(get(elsewhere, "command", STREAM + "&id=1").status()).isEqualTo(403);
    ConsolePage page = page(LOOPBACK);
    assertThat(get(page, "stream", "instance=shop-9").status()).isEqualTo(404);
    assertThat(get(page, "stream", "instance=..%2fx").status()).isEqualTo(404);
    ConsolePage plain = kept(described().build());
    assertThat(get(plain, "stream", STREAM).status()).isEqualTo(404);
    assertThat(text(get(plain, "fleet", null))).contains("\"opens\":false");
    ConsoleAnswer fromElsewhere =
        page.answer(
            "GET",
            "stream",
            STREAM,
            header -> header.equals("Sec-Fetch-Site") ? "cross-site" : null);
    assertThat(fromElsewhere.status()).isEqualTo(403);
  }

  @Test
  void page_thatOpensInstances_saysThatTheirPartsMayWait_andWantsAFleet() {
    ConsolePage page = page(LOOPBACK);
    assertThat(page.names())
        .filteredOn(page::mayWait)
        .containsExactlyInAnyOrder("fleet", "stream", "command", "advice");
    ConsolePage plain = kept(described().build());
    assertThat(plain.names()).filteredOn(plain::mayWait).containsExactly("fleet");
    assertThatThrownBy(() -> ConsolePage.builder(kept(Tenrec.create())).instances(LOOPBACK).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("fleet: expected one");
    assertThatThrownBy(() -> described().instances(LOOPBACK, "short"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("token: expected at least 16");
  }
}
