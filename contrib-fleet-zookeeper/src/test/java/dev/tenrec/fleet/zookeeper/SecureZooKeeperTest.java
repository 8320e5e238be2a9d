// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.store.StoreAccessDeniedException;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.metrics.PatientWaits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.SASLAuthenticationProvider;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with certificates of clients, and SASL, against ZooKeeper's own server in this JVM. */
class SecureZooKeeperTest {

  private static final String PASSWORD = "not-a-secret-of-a-test";
  private static final String TIMEOUT =
      "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";

  /** For a server that lets nobody in: waited for in full. */
  private static final Duration NOT_FOUND = Duration.ofSeconds(2);

  /** Of all tests, because making keys takes seconds. */
  @TempDir static Path keys;

  @TempDir Path directory;

  private final List<String> properties = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private ServerCnxnFactory factory;
  private String servers;

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    if (factory != null) {
      factory.shutdown();
    }
    properties.forEach(System::clearProperty);
    Configuration.setConfiguration(null);
    ProviderRegistry.reset();
  }

  private void property(String name, String value) {
    System.setProperty(name, value);
    properties.add(name);
  }

  private void start(boolean secure) throws Exception {
    ProviderRegistry.reset(); // it reads the properties once
    factory = ServerCnxnFactory.createFactory();
    factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100, -1, secure);
    Path data = Files.createDirectories(directory.resolve("data"));
    factory.startup(new ZooKeeperServer(data.toFile(), data.toFile(), 3_000));
    servers = "127.0.0.1:" + factory.getLocalPort();
  }

  private static void keytool(String... arguments) throws Exception {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-noprompt"));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }

  private static Path file(String name) {
    return keys.resolve(name);
  }

  @BeforeAll
  static void makeKeys() throws Exception {
    certificate("server", true);
    certificate("alice", true);
    certificate("bob", true);
    certificate("mallory", false);
  }

  /** A key of its own, which the others trust if it is to be. */
  private static void certificate(String name, boolean trusted) throws Exception {
    String store = file(name + ".p12").toString();
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-ext",
        "san=dns:localhost,ip:127.0.0.1",
        "-keystore",
        store);
    if (trusted) {
      String certificate = file(name + ".pem").toString();
      keytool("-exportcert", "-alias", name, "-keystore", store, "-file", certificate);
      keytool(
          "-importcert",
          "-alias",
          name,
          "-keystore",
          file("trusted.p12").toString(),
          "-file",
          certificate);
    }
  }

  private void startWithTls() throws Exception {
    property(
        ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, NettyServerCnxnFactory.class.getName());
    property("zookeeper.authProvider.x509", X509AuthenticationProvider.class.getName());
    keys("server").forEach(this::property);
    start(true);
  }

  private static Map<String, String> keys(String name) {
    Map<String, String> keys = new HashMap<>();
    keys.put("zookeeper.ssl.keyStore.location", file(name + ".p12").toString());
    keys.put("zookeeper.ssl.keyStore.password", PASSWORD);
    keys.put("zookeeper.ssl.keyStore.type", "PKCS12");
    keys.put("zookeeper.ssl.trustStore.location", file("trusted.p12").toString());
    keys.put("zookeeper.ssl.trustStore.password", PASSWORD);
    keys.put("zookeeper.ssl.trustStore.type", "PKCS12");
    return keys;
  }

  private ZooKeeperStoreBuilder builder() {
    return ZooKeeperStore.builder(servers, "shop").sessionTimeout(Duration.ofMinutes(1));
  }

  private ZooKeeperStoreBuilder byTls(String name) {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
    keys(name).forEach(config::setProperty);
    return builder().clientConfig(config).connectPatience(PatientWaits.patience());
  }

  /** Each session that makes a node gives it the same. */
  private static ZooKeeperStoreBuilder withRights(ZooKeeperStoreBuilder builder) {
    return builder.operator("x509", "CN=alice").instance("x509", "CN=bob");
  }

  private ZooKeeperStore kept(ZooKeeperStore store) {
    open.add(store);
    return store;
  }

  /** A change by an operator's session, and an instance that goes by it over its own. */
  private Change steered(ZooKeeperStore operators, ZooKeeperStore instances) {
    FleetOperator operator = FleetOperator.of(operators);
    Change change = operator.change("shorter").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    FleetMember member = FleetMember.builder(instances, "shop-7").start();
    open.add(member);
    Tenrec tenrec = Tenrec.builder().remoteSource(member).build();
    open.add(tenrec);
    var unused =
        tenrec.command("GetQuote", (String s) -> s).isolation(Isolation.semaphore(1)).build();
    member.observe(tenrec);
    await()
        .until(
            () ->
                operator
                    .rollout(change.version(), Duration.ofSeconds(1))
                    .applied()
                    .contains("shop-7"));
    assertThat(tenrec.sourceStatus().orElseThrow().version()).isEqualTo(change.version());
    return change;
  }

  @Test
  void tls_withCertificatesOfClients_isTheIdentityOfWhoeverChangesSettings() throws Exception {
    startWithTls();
    ZooKeeperStore alice = kept(withRights(byTls("alice")).open());
    ZooKeeperStore bob = kept(withRights(byTls("bob")).open());
    assertThat(alice.principal()).isEqualTo("CN=alice");
    assertThat(bob.principal()).isEqualTo("CN=bob");
    assertThat(steered(alice, bob).author()).isEqualTo("CN=alice");
    FleetOperator instance = FleetOperator.of(bob);
    assertThat(instance.state().of(FleetLayer.FLEET).settings()).containsKey(TIMEOUT);
    assertThatThrownBy(
            () -> instance.change("no right to").set(FleetLayer.FLEET, TIMEOUT, "400").write())
        .isInstanceOf(StoreAccessDeniedException.class);
    assertThat(instance.state().manifest().version()).isEqualTo(1);
  }

  @Test
  void tls_withoutATrustedCertificateOrWithoutTls_reachesNothing() throws Exception {
    startWithTls();
    ZooKeeperStore mallory = kept(byTls("mallory").connectPatience(NOT_FOUND).open());
    assertThatThrownBy(() -> mallory.read("head")).isInstanceOf(StoreUnavailableException.class);
    ZooKeeperStore plain =
        kept(builder().digest("alice", PASSWORD).connectPatience(NOT_FOUND).open());
    assertThatThrownBy(() -> plain.read("head")).isInstanceOf(StoreUnavailableException.class);
  }

  /** What JAAS would read from a file. */
  private static final class Logins extends Configuration {

    private final Map<String, Map<String, String>> sections = new HashMap<>();

    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
      Map<String, String> options = sections.get(name);
      return options == null
          ? null
          : new AppConfigurationEntry[] {
            new AppConfigurationEntry(
                DigestLoginModule.class.getName(), LoginModuleControlFlag.REQUIRED, options)
          };
    }
  }

  private void startWithSasl() throws Exception {
    Logins logins = new Logins();
    logins.sections.put("Server", Map.of("user_alice", PASSWORD, "user_bob", PASSWORD + "-2"));
    logins.sections.put("Alice", Map.of("username", "alice", "password", PASSWORD));
    logins.sections.put("Bob", Map.of("username", "bob", "password", PASSWORD + "-2"));
    logins.sections.put("Guess", Map.of("username", "alice", "password", "guessed"));
    Configuration.setConfiguration(logins);
    property("zookeeper.authProvider.sasl", SASLAuthenticationProvider.class.getName());
    start(false);
  }

  private ZooKeeperStoreBuilder bySasl(String section) {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, section);
    config.setProperty("zookeeper.fips-mode", "false"); // which knows no DIGEST-MD5
    return builder()
        .clientConfig(config)
        .connectPatience(PatientWaits.patience())
        .operator("sasl", "alice")
        .instance("sasl", "bob");
  }

  @Test
  void sasl_byUserAndPassword_isTheIdentityOfWhoeverChangesSettings() throws Exception {
    startWithSasl();
    ZooKeeperStore alice = kept(bySasl("Alice").open());
    ZooKeeperStore bob = kept(bySasl("Bob").open());
    assertThat(alice.principal()).isEqualTo("alice");
    assertThat(bob.principal()).isEqualTo("bob");
    assertThat(steered(alice, bob).author()).isEqualTo("alice");
    FleetOperator instance = FleetOperator.of(bob);
    assertThatThrownBy(
            () -> instance.change("no right to").set(FleetLayer.FLEET, TIMEOUT, "400").write())
        .isInstanceOf(StoreAccessDeniedException.class);
    ZooKeeperStore guess = kept(bySasl("Guess").connectPatience(NOT_FOUND).open());
    assertThatThrownBy(
            () ->
                FleetOperator.of(guess)
                    .change("with a password that was guessed")
                    .set(FleetLayer.FLEET, TIMEOUT, "400")
                    .write())
        .isInstanceOf(RuntimeException.class);
    assertThat(FleetOperator.of(alice).history(10)).extracting(Change::version).containsExactly(1L);
  }

  @Test
  void certificate_withoutNamedOperators_makesNoWorldWritableNode() throws Exception {
    startWithTls();
    ZooKeeperStore alice = kept(byTls("alice").open());
    Change change =
        FleetOperator.of(alice).change("mine").set(FleetLayer.FLEET, TIMEOUT, "300").write();
    assertThat(change.author()).isEqualTo("CN=alice");
    ZooKeeperStore bob = kept(byTls("bob").open());
    assertThatThrownBy(() -> FleetOperator.of(bob).state())
        .as("nobody named it")
        .isInstanceOf(StoreAccessDeniedException.class);
  }
}
