// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Describes an {@link EtcdStore}. Not thread-safe. */
public final class EtcdStoreBuilder {

  private static final Duration SHORTEST_SESSION = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofDays(365);

  private final List<URI> members;
  private final String application;
  private String root = "/tenrec/v1";
  private Duration sessionTimeout = Duration.ofSeconds(10);
  private Duration requestTimeout = Duration.ofSeconds(5);
  private @Nullable String user;
  private @Nullable String password;
  private @Nullable SSLContext sslContext;
  private boolean allowUnauthenticated;
  private Ticker ticker = Ticker.system();
  private Waiter waiter = Waiter.system();

  EtcdStoreBuilder(List<URI> members, String application) {
    if (members.isEmpty()) {
      throw new IllegalArgumentException(
          "at least one member of etcd is needed, such as http://127.0.0.1:2379");
    }
    members.forEach(EtcdStoreBuilder::check);
    this.members = List.copyOf(members);
    this.application = FleetLayer.checkName("application", application);
  }

  private static void check(URI member) {
    String scheme = member.getScheme();
    boolean http = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
    boolean bare = member.getRawPath() == null || member.getRawPath().matches("/?");
    if (!http
        || member.getHost() == null
        || member.getPort() < 0
        || !bare
        || member.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "a member of etcd must be http:// or https:// with a host and a port, such as"
              + " http://127.0.0.1:2379; the one at "
              + member.getHost()
              + " is not");
    }
  }

  /** Below which key all applications are. Default {@code /tenrec/v1}. */
  public EtcdStoreBuilder root(String path) {
    if (!path.startsWith("/") || path.endsWith("/")) {
      throw new IllegalArgumentException(
          "the root must be a path such as /tenrec/v1, was '" + path + "'");
    }
    root = path;
    return this;
  }

  /**
   * After how long without a sign of life etcd takes this session for dead: then what it has
   * announced goes. Whole seconds, at least 2, and at most 365 days. Default 10 s.
   */
  public EtcdStoreBuilder sessionTimeout(Duration timeout) {
    if (timeout.compareTo(SHORTEST_SESSION) < 0
        || timeout.compareTo(LONGEST) > 0
        || timeout.toNanosPart() != 0) {
      throw new IllegalArgumentException(
          "the session's time-out must be whole seconds, at least 2 and at most 365 days, was "
              + timeout);
    }
    sessionTimeout = timeout;
    return this;
  }

  /** How long one request waits for its whole answer, at most 365 days. Default 5 s. */
  public EtcdStoreBuilder requestTimeout(Duration timeout) {
    if (timeout.isZero() || timeout.isNegative() || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the time-out of requests must be positive and at most 365 days, was " + timeout);
    }
    requestTimeout = timeout;
    return this;
  }

  /**
   * A user of etcd's and its password. They are sent to the members: use {@code https} where others
   * can listen. Default: none.
   */
  public EtcdStoreBuilder user(String name, String secret) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("the user's name is empty");
    }
    user = name;
    password = Objects.requireNonNull(secret, "secret");
    return this;
  }

  /** For {@code https}: what is trusted, and a certificate to show. Default: the JVM's. */
  public EtcdStoreBuilder sslContext(SSLContext context) {
    sslContext = Objects.requireNonNull(context, "context");
    return this;
  }

  /**
   * Goes on also where etcd authenticates nobody, so that every client may change the settings: for
   * trying out. Default: it refuses to.
   */
  public EtcdStoreBuilder allowUnauthenticated() {
    allowUnauthenticated = true;
    return this;
  }

  /** Time, for the thread that keeps the session alive. Default: the system's. */
  EtcdStoreBuilder time(Ticker newTicker, Waiter newWaiter) {
    ticker = newTicker;
    waiter = newWaiter;
    return this;
  }

  /**
   * Opens the session. Does not wait for etcd: the first use does.
   *
   * @throws IllegalStateException if there is no user, and going without was not allowed
   */
  public EtcdStore open() {
    if (user == null && !allowUnauthenticated) {
      throw new IllegalStateException(
          "no user was given, so every client could change the settings of "
              + application
              + ": give user(..), or allowUnauthenticated() to try things out");
    }
    EtcdGateway gateway =
        new EtcdGateway(members, user, password, allowUnauthenticated, requestTimeout, sslContext);
    return new EtcdStore(gateway, root + "/" + application, sessionTimeout, ticker, waiter);
  }
}
