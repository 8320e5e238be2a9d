// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.FleetStoreContract;
import dev.tenrec.fleet.store.StaleWriteException;
import dev.tenrec.fleet.store.StoreAccessDeniedException;
import dev.tenrec.fleet.store.Transaction;
import dev.tenrec.metrics.PatientWaits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store in ZooKeeper does what every store does, on a real server in this JVM; and its ACLs. */
class ZooKeeperStoreTest extends FleetStoreContract {

  private TestingServer server;

  @BeforeEach
  void start() throws Exception {
    server = FreshZooKeeper.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private ZooKeeperStoreBuilder shop() {
    return ZooKeeperStore.builder(server.getConnectString(), "shop")
        .connectPatience(PatientWaits.patience()); // a crowded machine's connection takes its time
  }

  private static String hashed(String user) throws Exception {
    return DigestAuthenticationProvider.generateDigest(user + ":secret-of-" + user);
  }

  private ZooKeeperStoreBuilder shop(String user) throws Exception {
    return shop()
        .digest(user, "secret-of-" + user)
        .operator("digest", hashed("alice"))
        .instance("digest", hashed("shop"));
  }

  @Override
  protected FleetStore open() {
    return shop().digest("alice", "secret").open();
  }

  @Override
  protected String principal() {
    return "alice";
  }

  private static Transaction first(String name) {
    return new Transaction("head", Transaction.ABSENT, Map.of("head", "1", name, "x"), Set.of());
  }

  @Test
  void open_withoutIdentity_isRefused_unlessAllowed() {
    assertThatThrownBy(() -> shop().open())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("shop", "every client", "allowWorldWritable");
    try (FleetStore store = shop().allowWorldWritable().open()) {
      store.commit(first("config/fleet"));
      assertThat(store.principal()).isEmpty();
    }
    try (FleetStore careful = shop().digest("alice", "secret").open()) {
      assertThatThrownBy(() -> careful.read("head"))
          .as("others have made it writable for all")
          .isInstanceOf(StoreAccessDeniedException.class)
          .hasMessageContaining("every client may change");
    }
  }

  @Test
  void instances_mayReadAndReport_butNotChange() throws Exception {
    try (FleetStore alice = shop("alice").open();
        FleetStore shop = shop("shop").open()) {
      alice.commit(first("config/zone/a"));
      assertThat(shop.read("config/zone/a").text()).isEqualTo("x");
      shop.announce("applied/i-1", "r");
      assertThat(alice.read("applied/i-1").text()).isEqualTo("r");
      assertThat(shop.nowMillis()).isPositive();
      assertThatThrownBy(
              () ->
                  shop.commit(
                      new Transaction(
                          "head", 0, Map.of("head", "2", "config/fleet", "y"), Set.of())))
          .isInstanceOf(StoreAccessDeniedException.class);
      assertThat(alice.read("head").text()).isEqualTo("1");
    }
    try (FleetStore stranger = shop("mallory").open()) {
      assertThatThrownBy(() -> stranger.read("config/zone/a"))
          .isInstanceOf(StoreAccessDeniedException.class);
      assertThatThrownBy(() -> stranger.announce("applied/i-2", "r"))
          .isInstanceOf(StoreAccessDeniedException.class);
    }
  }

  /** As a person with ZooKeeper's own tool. */
  private void deleteAll(String root) throws Exception {
    try (CuratorFramework client =
        CuratorFrameworkFactory.builder()
            .connectString(server.getConnectString())
            .authorization("digest", "alice:secret".getBytes(UTF_8))
            .retryPolicy(new RetryOneTime(100))
            .build()) {
      client.start();
      client.delete().deletingChildrenIfNeeded().forPath(root);
    }
  }

  @Test
  void nodes_thatWereDeleted_areMadeAgainByASessionThatIsOpen() throws Exception {
    try (FleetStore store = open()) {
      store.commit(first("config/zone/a"));
      store.announce("applied/i-1", "r");
      assertThat(store.nowMillis()).isPositive();

      deleteAll("/tenrec");
      assertThatThrownBy(
              () -> store.commit(new Transaction("head", 0, Map.of("head", "2"), Set.of())))
          .as("what it expects is not there")
          .isInstanceOf(StaleWriteException.class);
      store.commit(first("config/zone/a"));
      assertThat(store.read("config/zone/a").text()).isEqualTo("x");

      deleteAll("/tenrec");
      store.announce("applied/i-1", "again");
      assertThat(store.read("applied/i-1").text()).isEqualTo("again");

      deleteAll("/tenrec");
      assertThat(store.nowMillis()).isPositive();

      deleteAll("/tenrec/v1/shop/config");
      store.commit(first("config/zone/a"));
      assertThat(store.read("config/zone/a").text()).isEqualTo("x");
    }
  }

  @Test
  void nodes_thatWereMadeAnewForEveryClient_areRefusedBeforeTheyAreWritten() throws Exception {
    try (FleetStore careful = open();
        FleetStore careless = shop().allowWorldWritable().open()) {
      careful.commit(first("ids/x"));
      deleteAll("/tenrec");
      careless.commit(first("ids/x"));
      deleteAll("/tenrec/v1/shop/ids");
      assertThatThrownBy(
              () ->
                  careful.commit(
                      new Transaction("head", 0, Map.of("head", "2", "ids/x", "1"), Set.of())))
          .isInstanceOf(StoreAccessDeniedException.class);
    }
  }

  @Test
  void nodes_thatWereAllMadeAnewForEveryClient_areRefusedOnceTheirHeadIsRead() throws Exception {
    try (FleetStore careful = open();
        FleetStore careless = shop().allowWorldWritable().open()) {
      careful.commit(first("ids/x"));
      assertThat(careful.read("head")).isNotNull();
      deleteAll("/tenrec");
      careless.commit(first("ids/x"));
      assertThatThrownBy(() -> careful.read("head")).isInstanceOf(StoreAccessDeniedException.class);
      assertThatThrownBy(
              () ->
                  careful.commit(
                      new Transaction("head", 0, Map.of("head", "2", "ids/x", "1"), Set.of())))
          .isInstanceOf(StoreAccessDeniedException.class);
    }
  }

  @Test
  void connectionThatIsLost_isWaitedForAsLongAsTheSessionLastsAtMost() {
    ZooKeeperStoreBuilder patient = shop().connectPatience(Duration.ofDays(24));
    assertThat(patient.connectionTimeoutMillis()).isEqualTo(10_000);
    assertThat(patient.connectPatience(Duration.ofSeconds(2)).connectionTimeoutMillis())
        .isEqualTo(2_000);
  }

  @Test
  void patienceForTheConnection_boundsTheFirstUseOnly() {
    try (FleetStore store =
        shop().connectPatience(Duration.ZERO).digest("alice", "secret").open()) {
      await().ignoreExceptions().until(() -> store.read("head") == null);
      store.commit(first("config/fleet"));
      assertThat(store.readAll(List.of("head", "config/fleet", "config/zone/z")))
          .containsExactly(store.read("head"), store.read("config/fleet"), null);
    }
  }

  @Test
  void timeThatCannotBe_isRefusedInWords() {
    for (Duration time :
        List.of(Duration.ofDays(30), Duration.ofSeconds(Long.MAX_VALUE), Duration.ofMillis(-1))) {
      assertThatThrownBy(() -> shop().sessionTimeout(time))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("session's time-out", "2147483647 ms", time.toString());
      assertThatThrownBy(() -> shop().connectPatience(time))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("connection", "2147483647 ms", time.toString());
    }
    assertThatThrownBy(() -> shop().sessionTimeout(Duration.ofNanos(999_999)))
        .isInstanceOf(IllegalArgumentException.class);
    Duration longest = Duration.ofMillis(Integer.MAX_VALUE);
    shop().sessionTimeout(longest).connectPatience(longest).digest("a", "b").open().close();
  }

  /** As a person with ZooKeeper's own tool. */
  private List<ACL> giveAcl(String path, List<ACL> acl) throws Exception {
    try (CuratorFramework client =
        CuratorFrameworkFactory.builder()
            .connectString(server.getConnectString())
            .authorization("digest", "alice:secret".getBytes(UTF_8))
            .retryPolicy(new RetryOneTime(100))
            .build()) {
      client.start();
      List<ACL> before = client.getACL().forPath(path);
      client.setACL().withACL(acl).forPath(path);
      return before;
    }
  }

  @Test
  void layers_thatEveryClientMayChange_areRefused() throws Exception {
    try (FleetStore store = open()) {
      store.commit(first("config/zone/a"));
      store.commit(
          new Transaction(
              "head",
              store.read("head").revision(),
              Map.of("head", "2", "config/instance/i-1", "x"),
              Set.of()));
    }
    for (String name :
        List.of("config/zone", "config/zone/a", "config/instance", "config/instance/i-1")) {
      String path = "/tenrec/v1/shop/" + name;
      List<ACL> before = giveAcl(path, ZooDefs.Ids.OPEN_ACL_UNSAFE);
      try (FleetStore store = open()) {
        assertThatThrownBy(() -> store.read("head"))
            .as(name)
            .isInstanceOf(StoreAccessDeniedException.class)
            .hasMessageContaining("every client may change " + path + ":");
      }
      giveAcl(path, before);
    }
    Id other = new Id("digest", hashed("bob"));
    giveAcl("/tenrec/v1/shop/config/zone/a", List.of(new ACL(ZooDefs.Perms.ALL, other)));
    try (FleetStore store = open()) {
      assertThat(store.read("head").text()).as("others may hide what is theirs").isEqualTo("2");
    }
  }
}
