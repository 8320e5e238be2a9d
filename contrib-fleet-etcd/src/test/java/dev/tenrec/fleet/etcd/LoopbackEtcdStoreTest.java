// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.config.Subscription;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.FleetStoreContract;
import dev.tenrec.fleet.store.NameTakenException;
import dev.tenrec.fleet.store.StaleWriteException;
import dev.tenrec.fleet.store.StoreAccessDeniedException;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.fleet.store.Stored;
import dev.tenrec.fleet.store.Transaction;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.Unprintable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store in etcd does what every store does, and lives with what happens to a client of etcd's. In
 * short, against a server in this JVM; {@code RealEtcdTest} has it against etcd.
 */
class LoopbackEtcdStoreTest extends FleetStoreContract {

  private static final String HEAD = "head";

  @TempDir Path directory;
  private LoopbackEtcd etcd;

  @BeforeEach
  void start() throws Exception {
    etcd = new LoopbackEtcd();
    etcd.addUser("alice", "secret-of-alice");
  }

  @AfterEach
  void stop() {
    etcd.close();
  }

  /** Its heart beats every 667 ms; a request may take its time on a busy machine. */
  private EtcdStoreBuilder shop(String members) {
    return EtcdStore.builder(members, "shop")
        .sessionTimeout(Duration.ofSeconds(2))
        .requestTimeout(PatientWaits.patience());
  }

  private EtcdStoreBuilder shop() {
    return shop(etcd.member());
  }

  private EtcdStoreBuilder alice() {
    return shop().user("alice", "secret-of-alice");
  }

  @Override
  protected FleetStore open() {
    return alice().open();
  }

  @Override
  protected String principal() {
    return "alice";
  }

  private static void put(FleetStore store, String text) {
    Stored head = store.read(HEAD);
    store.commit(
        new Transaction(
            HEAD,
            head == null ? Transaction.ABSENT : head.revision(),
            Map.of(HEAD, text),
            Set.of()));
  }

  /** What a watch has said. */
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

    /** The watch has begun, and said so. */
    Signals begun() {
      await().until(() -> changes.get() > 0);
      changes.set(0);
      return this;
    }

    void awaitChange() {
      await().until(() -> changes.getAndSet(0) > 0);
    }
  }

  @Test
  void open_withoutUser_isRefused_unlessAllowed() {
    assertThatThrownBy(() -> shop().open())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("shop", "every client", "allowUnauthenticated");
    try (FleetStore store = shop().allowUnauthenticated().open()) {
      assertThatThrownBy(() -> store.read(HEAD))
          .as("this etcd does authenticate")
          .isInstanceOf(StoreAccessDeniedException.class);
    }
  }

  @Test
  void etcd_thatAuthenticatesNobody_isRefused_unlessAllowed() throws Exception {
    try (LoopbackEtcd open = new LoopbackEtcd();
        FleetStore careful = shop(open.member()).user("alice", "x").open();
        FleetStore careless =
            shop(open.member()).user("alice", "x").allowUnauthenticated().open()) {
      assertThatThrownBy(() -> careful.read(HEAD))
          .isInstanceOf(StoreAccessDeniedException.class)
          .hasMessageContainingAll("every client may change", "allowUnauthenticated");
      put(careless, "1");
      assertThat(careless.principal()).as("a name that nobody has checked is none").isEmpty();
    }
  }

  @Test
  void wrongPassword_isDenied_andNotShown() {
    try (FleetStore store = shop().user("alice", "of-mallory").open()) {
      assertThatThrownBy(() -> store.read(HEAD))
          .isInstanceOf(StoreAccessDeniedException.class)
          .hasMessageContaining("alice")
          .hasMessageNotContaining("of-mallory");
      assertThatThrownBy(store::principal).isInstanceOf(StoreAccessDeniedException.class);
    }
  }

  /** A key of its own, with a certificate for 127.0.0.1 that only this context trusts. */
  private SSLContext ownCertificate() throws Exception {
    Path file = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "etcd",
                "-keyalg",
                "EC",
                "-dname",
                "CN=etcd",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(file.toFile(), "changeit".toCharArray());
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, "changeit".toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("etcd", keys.getCertificate("etcd"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  @Test
  void tls_withACertificateThatIsTrusted_isUsed_andNoOtherIs() throws Exception {
    SSLContext context = ownCertificate();
    try (LoopbackEtcd secured = LoopbackEtcd.secured(context)) {
      secured.addUser("alice", "secret-of-alice");
      try (FleetStore store =
              shop(secured.member()).user("alice", "secret-of-alice").sslContext(context).open();
          FleetStore stranger = shop(secured.member()).user("alice", "secret-of-alice").open()) {
        Signals signals = new Signals();
        var unused = store.watch(HEAD, signals);
        signals.begun();
        put(store, "1");
        signals.awaitChange();
        assertThatThrownBy(() -> stranger.read(HEAD))
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessageContaining("SSLHandshakeException");
      }
    }
  }

  @Test
  void token_thatEtcdForgot_isRenewed_alsoByTheWatch() {
    try (FleetStore store = open();
        FleetStore watching = open()) {
      Signals signals = new Signals();
      var unused = watching.watch(HEAD, signals);
      signals.begun();
      etcd.forgetTokens();
      put(store, "1");
      signals.awaitChange();
      etcd.forgetTokens();
      etcd.dropWatches();
      put(store, "2");
      signals.awaitChange();
      assertThat(watching.read(HEAD).text()).isEqualTo("2");
    }
  }

  @Test
  void watch_whoseStreamIsLost_hearsWhatCameMeanwhile() {
    try (FleetStore store = open();
        FleetStore watching = open()) {
      Signals signals = new Signals();
      var unused = watching.watch(HEAD, signals);
      signals.begun();
      etcd.setAway(true);
      await().until(() -> signals.lost.get() == 1);
      etcd.put("/tenrec/v1/shop/head", "by hand");
      etcd.setAway(false);
      signals.awaitChange();
      assertThat(signals.found.get()).isEqualTo(1);
      assertThat(store.read(HEAD).text()).isEqualTo("by hand");
    }
  }

  @Test
  void watch_afterCompaction_goesOn() {
    try (FleetStore store = open();
        FleetStore watching = open()) {
      Signals signals = new Signals();
      var unused = watching.watch(HEAD, signals);
      signals.begun();
      etcd.setAway(true);
      await().until(() -> signals.lost.get() == 1);
      etcd.put("/tenrec/v1/shop/head", "1");
      etcd.put("/tenrec/v1/other/head", "x");
      etcd.compact();
      etcd.setAway(false);
      signals.awaitChange();
      await().until(() -> etcd.asked("watch") > 2);
      signals.changes.set(0);
      put(store, "2");
      signals.awaitChange();
    }
  }

  @Test
  void watch_ofAnEtcdThatWasBegunAnew_doesNotWaitForItsOldRevision() {
    try (FleetStore store = open();
        FleetStore watching = open()) {
      for (int i = 0; i < 10; i++) {
        put(store, String.valueOf(i));
      }
      Signals signals = new Signals();
      var unused = watching.watch(HEAD, signals);
      signals.begun();
      etcd.beginAnew();
      signals.awaitChange();
      await()
          .untilAsserted(
              () -> {
                etcd.put("/tenrec/v1/shop/head", "new");
                assertThat(signals.changes.getAndSet(0)).isPositive();
              });
    }
  }

  @Test
  void watch_whoseConnectionIsDead_isOpenedAgain() {
    try (FleetStore store = open();
        FleetStore watching = open()) {
      Signals signals = new Signals();
      var unused = watching.watch(HEAD, signals);
      signals.begun();
      etcd.silenceWatches();
      put(store, "1");
      signals.awaitChange();
    }
  }

  @Test
  void watch_atAMemberThatHasLostTheOthers_goesToAnother() throws Exception {
    try (LoopbackEtcd other = new LoopbackEtcd()) {
      other.addUser("alice", "secret-of-alice");
      etcd.loseLeader();
      try (FleetStore watching =
          shop(etcd.member() + "," + other.member()).user("alice", "secret-of-alice").open()) {
        Signals signals = new Signals();
        var unused = watching.watch(HEAD, signals);
        await().until(() -> other.asked("watch") > 0);
        await()
            .untilAsserted(
                () -> {
                  other.put("/tenrec/v1/shop/head", "x");
                  assertThat(signals.changes.getAndSet(0)).isPositive();
                });
      }
    }
  }

  @Test
  void watch_always_leavesNamesThatBeginAlikeToOthers() {
    try (FleetStore store = open();
        FleetStore watching = open()) {
      Signals signals = new Signals();
      var unused = watching.watch(HEAD, signals);
      signals.begun();
      etcd.put("/tenrec/v1/shop/head-2", "x");
      etcd.put("/tenrec/v1/shop/head.x", "x");
      put(store, "1");
      signals.awaitChange();
      assertThat(signals.changes.get()).isZero();
    }
  }

  @Test
  void session_thatExpired_saysSo_andAnnouncesAgain() {
    try (FleetStore announcer = open();
        FleetStore other = open()) {
      Signals signals = new Signals();
      var unused = announcer.watch(HEAD, signals);
      announcer.announce("applied/i-1", "a");
      etcd.expireLeases();
      await().until(() -> signals.found.get() == 1);
      assertThat(other.read("applied/i-1")).isNull();
      announcer.announce("applied/i-1", "b");
      etcd.expireLeases();
      announcer.announce("applied/i-1", "c"); // perhaps before the heart has noticed
      assertThat(other.read("applied/i-1").text()).isEqualTo("c");
      assertThatThrownBy(() -> other.announce("applied/i-1", "mine"))
          .isInstanceOf(NameTakenException.class);
    }
  }

  @Test
  void session_thatIsClosed_isGrantedNoLease() {
    FleetStore store = open();
    store.close();

    assertThatThrownBy(() -> store.announce("applied/i-1", "a"))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(etcd.asked("lease/grant")).isZero();
  }

  @Test
  void write_whoseAnswerIsLost_isUnknown_andNotSentTwice() {
    try (FleetStore store =
        shop(etcd.member() + "," + etcd.member()).user("alice", "secret-of-alice").open()) {
      put(store, "1");
      Stored head = store.read(HEAD);
      int before = etcd.asked("kv/txn");
      etcd.setHangsUpAfterWrites(true);
      assertThatThrownBy(() -> put(store, "2")).isInstanceOf(StoreUnavailableException.class);
      etcd.setHangsUpAfterWrites(false);
      assertThat(etcd.asked("kv/txn")).isEqualTo(before + 1);
      assertThat(store.read(HEAD).text()).isEqualTo("2");
      assertThatThrownBy(
              () ->
                  store.commit(
                      new Transaction(HEAD, head.revision(), Map.of(HEAD, "late"), Set.of())))
          .isInstanceOf(StaleWriteException.class);
    }
  }

  @Test
  void member_thatIsDown_isPassedOver() throws Exception {
    // taken, so that nobody else listens there, and refused, as nobody does
    try (Socket nobody = new Socket()) {
      nobody.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
      String down = "http://127.0.0.1:" + nobody.getLocalPort();
      try (FleetStore store =
              shop(down + ", " + etcd.member()).user("alice", "secret-of-alice").open();
          FleetStore lonely = shop(down).user("alice", "secret-of-alice").open()) {
        put(store, "1");
        assertThat(store.read(HEAD).text()).isEqualTo("1");
        assertThatThrownBy(() -> lonely.read(HEAD))
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessageContaining(String.valueOf(nobody.getLocalPort()));
      }
    }
  }

  @Test
  void etcd_thatDoesNotAnswer_isUnavailable() {
    try (FleetStore store = alice().requestTimeout(Duration.ofMillis(200)).open()) {
      etcd.setSilent(true);
      assertThatThrownBy(() -> store.read(HEAD))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("PT0.2S");
      etcd.setSilent(false);
    }
  }

  @Test
  void value_writtenByHand_isReadAsItIs_asIfOfLongAgo() {
    try (FleetStore store = open()) {
      etcd.put("/tenrec/v1/shop/head", "{\"version\":\n3}");
      assertThat(store.read(HEAD).text()).isEqualTo("{\"version\":\n3}");
      assertThat(store.read(HEAD).writtenMillis()).isZero();
    }
  }

  @Test
  void commit_ofANameBothWrittenAndDeleted_deletesIt() {
    try (FleetStore store = open()) {
      store.commit(
          new Transaction(
              HEAD,
              Transaction.ABSENT,
              Map.of(HEAD, "1", "config/fleet", "x"),
              Set.of("config/fleet")));
      assertThat(store.read("config/fleet")).isNull();
    }
  }

  @Test
  void builder_ofWhatCannotBe_saysWhatIsExpected() {
    for (String member :
        new String[] {
          "", "127.0.0.1:2379", "ftp://h:1", "http://h", "http://h:1/v3", "http://a:b@h:1"
        }) {
      assertThatThrownBy(() -> EtcdStore.builder(member, "shop"))
          .as(member)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> EtcdStore.builder(etcd.member(), "a/b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> shop().sessionTimeout(Duration.ofMillis(2500)))
        .hasMessageContaining("whole seconds");
    assertThatThrownBy(() -> shop().requestTimeout(Duration.ZERO)).hasMessageContaining("positive");
    for (Duration time :
        new Duration[] {Duration.ofDays(366), Duration.ofSeconds(Long.MAX_VALUE)}) {
      assertThatThrownBy(() -> shop().sessionTimeout(time))
          .hasMessageContainingAll("at most 365 days", time.toString());
      assertThatThrownBy(() -> shop().requestTimeout(time))
          .hasMessageContainingAll("at most 365 days", time.toString());
    }
    assertThatThrownBy(() -> shop().root("tenrec/")).hasMessageContaining("tenrec/");
  }

  @Test
  void close_whileEtcdDoesNotAnswer_doesNotWaitForIt_andTheLeaseGoesOnceItDoes() throws Exception {
    try (FleetStore other = open()) {
      FleetStore store = alice().requestTimeout(PatientWaits.patience().multipliedBy(9)).open();
      store.announce("applied/i-1", "a");
      etcd.setSilent(true);
      FutureTask<Void> closing = new FutureTask<>(store::close, null);
      Thread thread = new Thread(closing, "closing");
      thread.setDaemon(true);
      try {
        thread.start();
        closing.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      } finally {
        etcd.setSilent(false);
      }
      await().untilAsserted(() -> assertThat(other.read("applied/i-1")).isNull());
    }
  }

  @Test
  void close_whereEtcdAnswers_takesBackWhatWasAnnounced() {
    try (FleetStore other = open()) {
      FleetStore store = open();
      store.announce("applied/i-1", "a");
      store.close();
      await().untilAsserted(() -> assertThat(other.read("applied/i-1")).isNull());
      assertThat(etcd.asked("lease/revoke")).isEqualTo(1);
    }
  }

  @Test
  void close_always_endsItsThreads() throws IOException {
    FleetStore store = open();
    Signals signals = new Signals();
    var unused = store.watch("of-close", signals);
    signals.begun();
    store.close();
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(
                        thread -> thread.getName().equals("tenrec-fleet-etcd-watch-of-close")));
  }

  @Test
  void watch_whoseListenersFailureCannotBeLogged_goesOn() {
    AtomicInteger changes = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    StoreListener failing =
        new StoreListener() {
          @Override
          public void changed() {
            changes.incrementAndGet();
          }

          @Override
          public void connected() {}

          @Override
          public void disconnected() {
            lost.incrementAndGet();
            throw new Unprintable();
          }
        };
    try (FleetStore store = open();
        Subscription watching = store.watch(HEAD, failing)) {
      assertThat(watching).isNotNull();
      await().until(() -> changes.get() > 0);
      etcd.setAway(true);
      await().until(() -> lost.get() > 0);
      etcd.setAway(false);
      changes.set(0);
      await()
          .ignoreExceptions()
          .until(
              () -> {
                put(store, String.valueOf(lost.get()));
                return true;
              });
      await().until(() -> changes.get() > 0);
    }
  }
}
