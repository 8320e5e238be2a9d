// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.Rollout;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.FleetStoreContract;
import dev.tenrec.fleet.store.StoreAccessDeniedException;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.fleet.store.Stored;
import dev.tenrec.fleet.store.Transaction;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in a real etcd: what every store does, and what happens to etcd's servers. */
@Tag("external")
class RealEtcdTest extends FleetStoreContract {

  private static final String HEAD = "head";
  private static final String TIMEOUT =
      "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";

  @TempDir Path directory;
  private EtcdServers etcd;

  @BeforeEach
  void start() throws Exception {
    etcd = new EtcdServers(directory, 1);
  }

  @AfterEach
  void stop() throws Exception {
    if (etcd != null) {
      etcd.close();
    }
  }

  private static EtcdStoreBuilder shop(EtcdServers etcd, String user) {
    return EtcdStore.builder(etcd.members(), "shop").user(user, "secret-of-" + user);
  }

  @Override
  protected FleetStore open() {
    return shop(etcd, "alice").requestTimeout(Duration.ofSeconds(60)).open();
  }

  @Override
  protected String principal() {
    return "alice";
  }

  private static long put(FleetStore store, String text) {
    Stored head = store.read(HEAD);
    store.commit(
        new Transaction(
            HEAD,
            head == null ? Transaction.ABSENT : head.revision(),
            Map.of(HEAD, text),
            Set.of()));
    return store.read(HEAD).revision();
  }

  private static final class Signals implements StoreListener {

    final AtomicInteger changes = new AtomicInteger();
    final AtomicInteger found = new AtomicInteger();
    final AtomicInteger lost = new AtomicInteger();

    @Override
    public void changed() {
      changes.incrementAndGet();
    }

    @Override
    public void connected() {
      found.incrementAndGet();
    }

    @Override
    public void disconnected() {
      lost.incrementAndGet();
    }

    void awaitChange() {
      await().until(() -> changes.getAndSet(0) > 0);
    }
  }

  @Test
  void instances_mayReadAndReport_butNotChange() {
    try (FleetStore alice = open();
        FleetStore shop = shop(etcd, "shop").open();
        FleetStore wrong =
            EtcdStore.builder(etcd.members(), "shop").user("shop", "guessed").open();
        FleetStore nobody =
            EtcdStore.builder(etcd.members(), "shop").allowUnauthenticated().open()) {
      put(alice, "1");
      Signals signals = new Signals();
      var unused = shop.watch(HEAD, signals);
      signals.awaitChange();
      put(alice, "2");
      signals.awaitChange();
      assertThat(shop.read(HEAD).text()).isEqualTo("2");
      shop.announce("applied/i-1", "r");
      assertThat(alice.read("applied/i-1").text()).isEqualTo("r");
      assertThat(shop.nowMillis()).isPositive();
      assertThatThrownBy(() -> put(shop, "3")).isInstanceOf(StoreAccessDeniedException.class);
      assertThatThrownBy(() -> wrong.read(HEAD)).isInstanceOf(StoreAccessDeniedException.class);
      assertThatThrownBy(() -> nobody.read(HEAD)).isInstanceOf(StoreAccessDeniedException.class);
      assertThat(alice.read(HEAD).text()).isEqualTo("2");
    }
  }

  @Test
  void watch_fromARevisionThatWasCompacted_goesOn() {
    try (FleetStore alice = open()) {
      long first = put(alice, "1");
      for (int i = 2; i < 10; i++) {
        put(alice, String.valueOf(i));
      }
      long last = alice.read(HEAD).revision();
      EtcdServers.ask(
          etcd.asRoot(),
          "kv/compaction",
          EtcdGateway.message().put("revision", String.valueOf(last)).put("physical", true));
      Signals signals = new Signals();
      EtcdWatch watch =
          new EtcdWatch(
              etcd.gateway("alice", "secret-of-alice"),
              new EtcdKeys("/tenrec/v1/shop"),
              HEAD,
              first,
              signals,
              Ticker.system(),
              Waiter.system());
      watch.start();
      try (watch) {
        signals.awaitChange();
        await()
            .untilAsserted(
                () -> {
                  put(alice, "later");
                  assertThat(signals.changes.getAndSet(0)).isPositive();
                });
        assertThat(signals.lost.get()).as("nothing was lost").isZero();
      }
    }
  }

  @Test
  void lease_ofASessionThatDied_expires() {
    try (FleetStore reader = open()) {
      EtcdSession dead = new EtcdSession(etcd.gateway("shop", "secret-of-shop"), 10);
      long lease = dead.granted();
      EtcdServers.ask(
          etcd.gateway("shop", "secret-of-shop"),
          "kv/put",
          EtcdGateway.message()
              .put("key", EtcdKeys.encode("/tenrec/v1/shop/applied/dead"))
              .put("value", EtcdKeys.encode("1\nx"))
              .put("lease", String.valueOf(lease)));
      Signals signals = new Signals();
      var unused = reader.watch("applied", signals);
      signals.awaitChange();
      assertThat(dead.keepAlive()).as("it lives, and was not expired").isFalse();
      await().until(() -> reader.read("applied/dead") == null);
      signals.awaitChange();
      assertThat(dead.keepAlive()).as("it has expired").isTrue();
    }
  }

  @Test
  void server_killedAndStartedAgain_isFoundByAll() throws Exception {
    try (FleetStore alice = open();
        FleetStore shop = shop(etcd, "shop").open()) {
      put(alice, "1");
      Signals signals = new Signals();
      var unused = shop.watch(HEAD, signals);
      signals.awaitChange();
      shop.announce("applied/i-1", "r");
      etcd.kill(0);
      await().until(() -> signals.lost.get() == 1);
      assertThatThrownBy(() -> alice.read(HEAD)).isInstanceOf(StoreUnavailableException.class);
      etcd.start(0);
      await().until(() -> signals.found.get() > 0);
      await().ignoreExceptions().until(() -> put(alice, "2") > 0);
      signals.awaitChange();
      await()
          .ignoreExceptions()
          .until(
              () -> {
                shop.announce("applied/i-1", "again"); // the token was forgotten by the server
                return alice.read("applied/i-1").text().equals("again");
              });
    }
  }

  @Test
  void fleetOfThreeServers_killedInTurn_losesNothing() throws Exception {
    Path ofThree = Files.createDirectory(directory.resolve("three"));
    try (EtcdServers three = new EtcdServers(ofThree, 3);
        FleetStore store = shop(three, "alice").open();
        Instance one = new Instance(three, "i-1");
        Instance two = new Instance(three, "i-2")) {
      FleetOperator operator = FleetOperator.of(store);
      List<Long> versions = new ArrayList<>();
      for (int killed = 0; killed < 3; killed++) {
        three.kill(killed);
        for (int i = 0; i < 5; i++) {
          String millis = String.valueOf(300 + 10 * killed + i);
          Change change =
              operator.change("to " + millis).set(FleetLayer.FLEET, TIMEOUT, millis).write();
          versions.add(change.version());
          await()
              .ignoreExceptions()
              .untilAsserted(
                  () -> {
                    Rollout rollout = operator.rollout(change.version(), Duration.ofSeconds(5));
                    assertThat(rollout.applied()).contains("i-1", "i-2");
                  });
          assertThat(List.of(one.timeout(), two.timeout())).containsOnly(millis);
        }
        three.start(killed);
        EtcdGateway alone =
            new EtcdGateway(
                List.of(URI.create(three.member(killed))),
                "alice",
                "secret-of-alice",
                false,
                Duration.ofSeconds(30),
                null);
        await()
            .ignoreExceptions() // until it has caught up
            .until(
                () -> {
                  EtcdServers.ask(
                      alone,
                      "kv/range",
                      EtcdGateway.message().put("key", EtcdKeys.encode("/tenrec/x")));
                  return true;
                });
      }
      assertThat(versions).isEqualTo(IntStream.rangeClosed(1, 15).mapToObj(Long::valueOf).toList());
      assertThat(new HashSet<>(operator.history(100).stream().map(Change::version).toList()))
          .isEqualTo(new HashSet<>(versions));
      assertThat(operator.history(1).get(0).author()).isEqualTo("alice");
      three.kill(0);
      three.kill(1);
      await().until(() -> !one.member.status().connected());
      assertThat(one.timeout()).as("the settings stay").isEqualTo("324");
      assertThatThrownBy(() -> store.read(HEAD)).isInstanceOf(StoreUnavailableException.class);
      three.start(0);
      three.start(1);
      await().until(() -> one.member.status().connected());
    }
  }

  private static final class Instance implements AutoCloseable {

    final EtcdStore store;
    final FleetMember member;
    final Tenrec tenrec;

    Instance(EtcdServers etcd, String id) {
      store = shop(etcd, "shop").open();
      member = FleetMember.builder(store, id).start();
      tenrec = Tenrec.builder().remoteSource(member).build();
      var unused =
          tenrec.command("GetQuote", (String s) -> s).isolation(Isolation.semaphore(5)).build();
      member.observe(tenrec);
    }

    String timeout() {
      return tenrec.resolvedSettings().effective().stream()
          .filter(each -> each.property().endsWith("thread.timeoutInMilliseconds"))
          .map(EffectiveSetting::value)
          .findFirst()
          .orElseThrow();
    }

    @Override
    public void close() {
      tenrec.close();
      member.close();
      store.close();
    }
  }
}
