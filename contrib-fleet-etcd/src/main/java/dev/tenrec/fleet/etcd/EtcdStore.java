// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.fleet.etcd.EtcdGateway.Answer;
import dev.tenrec.fleet.etcd.EtcdGateway.NotFoundException;
import dev.tenrec.fleet.etcd.EtcdGateway.Repeat;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.NameTakenException;
import dev.tenrec.fleet.store.StaleWriteException;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.fleet.store.Stored;
import dev.tenrec.fleet.store.Transaction;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an application's settings in etcd v3: one key a name, changed in etcd's transactions,
 * watched by its watches, with reports under a lease. It speaks the members' JSON gateway by the
 * JDK's HTTP client. The session refuses to work where etcd authenticates nobody, unless that was
 * allowed.
 *
 * <p>A key's value is one line with the time at which it was written, in milliseconds since 1970,
 * and the text after it; etcd keeps no time of its own. Times are those of the member that answers,
 * to the second. A value without that line, as a person may have written it, counts as written in
 * 1970.
 *
 * <p>Thread-safe.
 */
public final class EtcdStore implements FleetStore {

  private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);

  /** What is asked for when only the time matters; it need not exist. */
  private static final String ANY = "head";

  private final EtcdGateway gateway;
  private final EtcdKeys keys;
  private final EtcdSession session;
  private final Ticker ticker;
  private final Waiter waiter;
  private final long beatNanos;
  private final List<EtcdWatch> watches = new CopyOnWriteArrayList<>();
  private final Thread heart;

  /** Written by the closing thread, read by any thread, ordered by volatile access. */
  private volatile boolean closed;

  EtcdStore(
      EtcdGateway gateway, String base, Duration sessionTimeout, Ticker ticker, Waiter waiter) {
    this.gateway = gateway;
    this.keys = new EtcdKeys(base);
    this.session = new EtcdSession(gateway, sessionTimeout.toSeconds());
    this.ticker = ticker;
    this.waiter = waiter;
    this.beatNanos = sessionTimeout.toNanos() / 3;
    this.heart =
        new Thread(
            this::live, "tenrec-fleet-etcd-heart-" + base.substring(base.lastIndexOf('/') + 1));
    heart.setDaemon(true);
    heart.start();
  }

  /**
   * Starts the description of a session.
   *
   * @param members where etcd's members are, {@code http://host:port} or {@code https://host:port},
   *     separated by commas
   * @param application whose settings: up to 100 of {@code A-Z a-z 0-9 . _ -}
   * @throws IllegalArgumentException if one of the two is not so
   */
  public static EtcdStoreBuilder builder(String members, String application) {
    return new EtcdStoreBuilder(
        Arrays.stream(members.split(","))
            .map(String::trim)
            .filter(member -> !member.isEmpty())
            .map(URI::create)
            .toList(),
        application);
  }

  @Override
  public @Nullable Stored read(String name) {
    JsonNode found =
        call("kv/range", EtcdGateway.message().put("key", keys.of(name)), Repeat.ALLOWED)
            .body()
            .path("kvs")
            .path(0);
    return found.isMissingNode() ? null : stored(found);
  }

  private static Stored stored(JsonNode pair) {
    String value = EtcdKeys.decode(pair.path("value"));
    long revision = pair.path("mod_revision").asLong();
    int line = value.indexOf('\n');
    if (line < 1 || line > 18 || !value.substring(0, line).chars().allMatch(EtcdStore::isDigit)) {
      return new Stored(value, revision, 0);
    }
    return new Stored(
        value.substring(line + 1), revision, Long.parseLong(value.substring(0, line)));
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  private static String value(String text, long nowMillis) {
    return EtcdKeys.encode(nowMillis + "\n" + text);
  }

  @Override
  public List<String> names(String folder) {
    JsonNode pairs =
        call("kv/range", keys.below(folder).put("keys_only", true), Repeat.ALLOWED)
            .body()
            .path("kvs");
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode pair : pairs) {
      String rest = keys.name(pair.path("key")).substring(folder.length() + 1);
      int slash = rest.indexOf('/');
      names.add(slash < 0 ? rest : rest.substring(0, slash));
    }
    return List.copyOf(names);
  }

  @Override
  public void commit(Transaction transaction) {
    String guard = transaction.guard();
    long now = nowMillis();
    long expected = transaction.expectedRevision();
    ObjectNode message = EtcdGateway.message();
    message
        .putArray("compare")
        .addObject()
        .put("key", keys.of(guard))
        .put("target", "MOD")
        .put("result", "EQUAL")
        // etcd's revision of a key that does not exist
        .put("mod_revision", String.valueOf(expected == Transaction.ABSENT ? 0 : expected));
    var operations = message.putArray("success");
    transaction
        .puts()
        .forEach(
            (name, text) -> {
              if (!transaction.deletes().contains(name)) { // etcd refuses a key named twice
                operations
                    .addObject()
                    .putObject("request_put")
                    .put("key", keys.of(name))
                    .put("value", value(text, now));
              }
            });
    for (String name : transaction.deletes()) {
      operations.addObject().putObject("request_delete_range").put("key", keys.of(name));
    }
    if (!succeeds(message)) {
      throw new StaleWriteException(guard + " has changed since revision " + expected);
    }
  }

  /** Whether the transaction's condition held, and it was carried out. */
  private boolean succeeds(ObjectNode transaction) {
    return call("kv/txn", transaction, Repeat.FORBIDDEN).body().path("succeeded").asBoolean();
  }

  @Override
  public void announce(String name, String text) {
    long lease = lease();
    try {
      announce(name, text, lease);
    } catch (NotFoundException expired) {
      boolean unused = session.expired(lease);
      announce(name, text, lease());
    }
  }

  private long lease() {
    requireOpen();
    long lease = session.granted();
    if (closed) { // meanwhile: it may have been granted after the session's end
      session.end();
      requireOpen();
    }
    return lease;
  }

  private void announce(String name, String text, long lease) {
    ObjectNode put =
        EtcdGateway.message()
            .put("key", keys.of(name))
            .put("value", value(text, nowMillis()))
            .put("lease", String.valueOf(lease));
    if (!succeeds(transaction("CREATE", "create_revision", 0, name, "request_put", put))
        && !succeeds(transaction("LEASE", "lease", lease, name, "request_put", put))) {
      throw new NameTakenException(name + " was announced by another session");
    }
  }

  @Override
  public void withdraw(String name) {
    long lease = session.current();
    if (lease == 0) {
      requireOpen();
      return;
    }
    boolean unused =
        succeeds(
            transaction(
                "LEASE",
                "lease",
                lease,
                name,
                "request_delete_range",
                EtcdGateway.message().put("key", keys.of(name))));
  }

  /** One operation on {@code name}, if it is so. */
  private ObjectNode transaction(
      String target, String field, long is, String name, String operation, ObjectNode what) {
    ObjectNode message = EtcdGateway.message();
    message
        .putArray("compare")
        .addObject()
        .put("key", keys.of(name))
        .put("target", target)
        .put("result", "EQUAL")
        .put(field, String.valueOf(is));
    message.putArray("success").addObject().set(operation, what);
    return message;
  }

  @Override
  public Subscription watch(String name, StoreListener listener) {
    requireOpen();
    EtcdWatch watch = new EtcdWatch(gateway, keys, name, 0, listener, ticker, waiter);
    watch.start(); // first: one that cannot start is not kept
    watches.add(watch);
    if (closed) { // meanwhile
      watch.close();
    }
    return () -> {
      watches.remove(watch);
      watch.close();
    };
  }

  @Override
  public String principal() {
    requireOpen();
    return gateway.logIn();
  }

  @Override
  public long nowMillis() {
    long now =
        call("kv/range", EtcdGateway.message().put("key", keys.of(ANY)), Repeat.ALLOWED)
            .dateMillis();
    if (now == 0) {
      throw new StoreException("etcd's answer has no Date: is something in between that drops it?");
    }
    return now;
  }

  /**
   * Ends the session, and does not wait for etcd: what was announced goes once etcd has answered a
   * last request, or with the session's time-out. Idempotent.
   */
  @Override
  public void close() {
    closed = true;
    watches.forEach(EtcdWatch::close);
    waiter.wake(heart); // which has the last word
  }

  private Answer call(String path, ObjectNode message, Repeat repeat) {
    requireOpen();
    return gateway.call(path, message, repeat);
  }

  private void requireOpen() {
    if (closed) {
      throw new StoreUnavailableException("this session was closed");
    }
  }

  /** Keeps the session alive until it is closed, and ends it then; on a thread of its own. */
  private void live() {
    beat();
    session.end();
  }

  /** Keeps the lease alive, and looks for watches that have died. */
  private void beat() {
    while (!closed) {
      waiter.awaitUntil(ticker.nanoTime() + beatNanos);
      boolean unused = Thread.interrupted(); // its life ends by close only
      if (closed) {
        return;
      }
      try {
        if (session.keepAlive()) {
          LOG.warn("The session has expired: what it has announced is announced again");
          watches.forEach(EtcdWatch::found);
        }
        watches.forEach(EtcdWatch::reviveIfDead);
      } catch (StoreException away) {
        debug(away);
      } catch (RuntimeException | Error thrown) {
        report(thrown);
      }
    }
  }

  /** Never throws, as {@link #report}. */
  private static void debug(StoreException away) {
    try {
      LOG.debug("etcd was not reached for a sign of life; tried again", away);
    } catch (Throwable loggers) {
      return;
    }
  }

  /** Never throws, or the session would end. */
  private static void report(Throwable thrown) {
    try {
      LOG.error("A sign of life failed; tried again", thrown);
    } catch (Throwable loggers) { // no memory, no stack, or a logger that throws as well
      return;
    }
  }
}
