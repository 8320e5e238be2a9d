// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import dev.tenrec.fleet.model.FleetLayer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.curator.framework.AuthInfo;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Id;
import org.jspecify.annotations.Nullable;

/** Describes a {@link ZooKeeperStore}. Not thread-safe. */
public final class ZooKeeperStoreBuilder {

  /** ZooKeeper counts so far. */
  private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

  private final String servers;
  private final String application;
  private String root = "/tenrec/v1";
  private Duration sessionTimeout = Duration.ofSeconds(10);
  private Duration connectPatience = Duration.ofSeconds(5);
  private final List<AuthInfo> identities = new ArrayList<>();
  private final List<Id> operators = new ArrayList<>();
  private final List<Id> instances = new ArrayList<>();
  private @Nullable ZKClientConfig clientConfig;
  private boolean allowWorldWritable;

  ZooKeeperStoreBuilder(String servers, String application) {
    this.servers = Objects.requireNonNull(servers, "servers");
    this.application = FleetLayer.checkName("application", application);
  }

  /** Below which node all applications are. Default {@code /tenrec/v1}. */
  public ZooKeeperStoreBuilder root(String path) {
    if (!path.startsWith("/") || path.endsWith("/")) {
      throw new IllegalArgumentException(
          "the root must be a path such as /tenrec/v1, was '" + path + "'");
    }
    root = path;
    return this;
  }

  /**
   * After how long without a heartbeat the servers take this session for dead: then what it has
   * announced goes. Default 10 s; the servers may have bounds of their own.
   *
   * @throws IllegalArgumentException if it is not 1 to 2147483647 ms
   */
  public ZooKeeperStoreBuilder sessionTimeout(Duration timeout) {
    sessionTimeout = checked("the session's time-out", timeout, 1);
    return this;
  }

  /**
   * How long the first use waits for the first connection, and no other use for anything. Default 5
   * s.
   *
   * @throws IllegalArgumentException if it is not 0 to 2147483647 ms
   */
  public ZooKeeperStoreBuilder connectPatience(Duration patience) {
    connectPatience = checked("the patience for the first connection", patience, 0);
    return this;
  }

  private static Duration checked(String what, Duration time, long leastMillis) {
    if (time.compareTo(Duration.ofMillis(leastMillis)) < 0 || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          what + " must be " + leastMillis + " to " + LONGEST.toMillis() + " ms, was " + time);
    }
    return time;
  }

  /** An identity by ZooKeeper's scheme {@code digest}: a user and a password. Default: none. */
  public ZooKeeperStoreBuilder digest(String user, String password) {
    return identity("digest", (user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  /** An identity by any of ZooKeeper's schemes that take one so. */
  public ZooKeeperStoreBuilder identity(String scheme, byte[] secret) {
    identities.add(new AuthInfo(scheme, secret.clone()));
    return this;
  }

  /**
   * An identity that may change settings, as ZooKeeper's ACLs have it: for {@code digest} that is
   * the user and the hash that {@code DigestAuthenticationProvider.generateDigest} makes. With
   * none, it is the identities that make the nodes. Only counts where nodes are made anew.
   */
  public ZooKeeperStoreBuilder operator(String scheme, String id) {
    operators.add(new Id(scheme, id));
    return this;
  }

  /** An identity that may read settings and report; all else as for {@link #operator}. */
  public ZooKeeperStoreBuilder instance(String scheme, String id) {
    instances.add(new Id(scheme, id));
    return this;
  }

  /**
   * ZooKeeper's own settings for clients, as for TLS ({@code zookeeper.client.secure} and its
   * company) and SASL. With a key store the client's certificate is an identity. Default:
   * ZooKeeper's, which come from system properties.
   */
  public ZooKeeperStoreBuilder clientConfig(ZKClientConfig config) {
    clientConfig = Objects.requireNonNull(config, "config");
    return this;
  }

  /**
   * Goes on also where every client may change the settings, and makes such nodes if there is no
   * identity: for trying out. Default: it refuses to.
   */
  public ZooKeeperStoreBuilder allowWorldWritable() {
    allowWorldWritable = true;
    return this;
  }

  /**
   * Opens the session. Does not wait: the first use does, and an instance that has last-good
   * settings does not wait for that.
   *
   * @throws IllegalStateException if there is no identity, and world-writable nodes are not allowed
   */
  public ZooKeeperStore open() {
    boolean sasl = clientConfig != null && clientConfig.isSaslClientEnabled();
    if (isNobody() && !allowWorldWritable) {
      throw new IllegalStateException(
          "no identity was given, so every client could change the settings of "
              + application
              + ": give digest(..), identity(..) or operator(..), or allowWorldWritable() to try"
              + " things out"
              + (sasl ? "; with SASL, name operator(\"sasl\", ..)" : ""));
    }
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(servers)
            .sessionTimeoutMs(Math.toIntExact(sessionTimeout.toMillis()))
            .connectionTimeoutMs(connectionTimeoutMillis())
            .retryPolicy(new RetryOneTime(100));
    if (!identities.isEmpty()) {
      builder.authorization(identities);
    }
    if (clientConfig != null) {
      builder.zkClientConfig(clientConfig);
    }
    CuratorFramework client = builder.build();
    client.start();
    return new ZooKeeperStore(
        client,
        new Nodes(
            client,
            root + "/" + application,
            new Access(operators, instances, isNobody()),
            allowWorldWritable),
        connectPatience,
        sessionTimeout);
  }

  /** How long what was asked for waits for a connection that is lost just then. */
  int connectionTimeoutMillis() {
    return Math.toIntExact(Math.min(connectPatience.toMillis(), sessionTimeout.toMillis()));
  }

  /** Whether neither this session nor anybody else could be given a right of its own. */
  private boolean isNobody() {
    return identities.isEmpty() && operators.isEmpty() && !hasCertificate();
  }

  private boolean hasCertificate() {
    return clientConfig != null
        && clientConfig.getProperty("zookeeper.ssl.keyStore.location") != null;
  }
}
