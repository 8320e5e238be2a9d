// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import dev.tenrec.core.config.Subscription;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.NameTakenException;
import dev.tenrec.fleet.store.StaleWriteException;
import dev.tenrec.fleet.store.StoreAccessDeniedException;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.fleet.store.Stored;
import dev.tenrec.fleet.store.Transaction;
import dev.tenrec.metrics.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.recipes.watch.PersistentWatcher;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an application's settings in ZooKeeper: one node a name, changed in ZooKeeper's
 * transactions, watched by its watches, with reports as ephemeral nodes. Nodes are made with ACLs,
 * and the session refuses to work on settings that every client may change, unless that was
 * allowed.
 *
 * <p>Thread-safe. Times are those of the ensemble's leader.
 */
public final class ZooKeeperStore implements FleetStore {

  private static final String CLOCK = "clock";
  private static final Set<String> OF_INSTANCES = Set.of("applied", CLOCK);

  private final CuratorFramework client;
  private final String base;
  private final Access access;
  private final boolean allowWorldWritable;
  private final Duration patience;
  private final Ticker ticker = Ticker.system();

  /** Nodes that have been made, or found. */
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  /** The session by which a name was announced: as long as it lives, the name is its. */
  private final Map<String, Long> announced = new ConcurrentHashMap<>();

  /**
   * The nodes are there, and their ACLs have been looked at. Written by the thread that did it,
   * read by any thread, ordered by volatile access.
   */
  private volatile boolean ready;

  /**
   * Written by the first thread that has waited for the connection, read by any thread, ordered by
   * volatile access.
   */
  private volatile boolean waited;

  /** Written by the closing thread, read by any thread, ordered by volatile access. */
  private volatile boolean closed;

  ZooKeeperStore(
      CuratorFramework client,
      String base,
      Access access,
      boolean allowWorldWritable,
      Duration patience) {
    this.client = client;
    this.base = base;
    this.access = access;
    this.allowWorldWritable = allowWorldWritable;
    this.patience = patience;
  }

  /**
   * Starts the description of a session.
   *
   * @param servers as ZooKeeper's clients want them, {@code host:port,host:port}
   * @param application whose settings: up to 100 of {@code A-Z a-z 0-9 . _ -}
   */
  public static ZooKeeperStoreBuilder builder(String servers, String application) {
    return new ZooKeeperStoreBuilder(servers, application);
  }

  @Override
  public @Nullable Stored read(String name) {
    Optional<Stored> found =
        reach(
            name,
            () -> {
              Stat stat = new Stat();
              try {
                byte[] data = client.getData().storingStatIn(stat).forPath(path(name));
                return Optional.of(stored(data, stat));
              } catch (KeeperException.NoNodeException none) {
                return Optional.empty();
              }
            });
    return found.orElse(null);
  }

  /** All are asked for before the first answer is waited for. */
  @Override
  public List<@Nullable Stored> readAll(List<String> names) {
    return names.isEmpty()
        ? List.of()
        : this.<List<@Nullable Stored>>reach(
            names.get(0),
            () -> {
              List<CompletableFuture<CuratorEvent>> asked = new ArrayList<>();
              for (String name : names) {
                CompletableFuture<CuratorEvent> answer = new CompletableFuture<>();
                asked.add(answer);
                client
                    .getData()
                    .inBackground((ignored, event) -> answer.complete(event))
                    .forPath(path(name));
              }
              long endNanos = ticker.nanoTime() + patience.toNanos();
              List<@Nullable Stored> all = new ArrayList<>();
              for (CompletableFuture<CuratorEvent> answer : asked) {
                all.add(
                    stored(
                        answer.get(
                            Math.max(0, endNanos - ticker.nanoTime()), TimeUnit.NANOSECONDS)));
              }
              return all;
            });
  }

  private static @Nullable Stored stored(CuratorEvent event) throws KeeperException {
    KeeperException.Code code = KeeperException.Code.get(event.getResultCode());
    if (code == KeeperException.Code.NONODE) {
      return null;
    }
    if (code != KeeperException.Code.OK) {
      throw KeeperException.create(code, event.getPath());
    }
    return stored(event.getData(), event.getStat());
  }

  private static Stored stored(byte[] data, Stat stat) {
    return new Stored(new String(data, StandardCharsets.UTF_8), stat.getVersion(), stat.getMtime());
  }

  @Override
  public List<String> names(String folder) {
    return reach(
        folder,
        () -> {
          try {
            return client.getChildren().forPath(path(folder));
          } catch (KeeperException.NoNodeException none) {
            return List.of();
          }
        });
  }

  @Override
  public void commit(Transaction transaction) {
    String guard = transaction.guard();
    boolean unused =
        reach(
            guard,
            () -> {
              for (String name : transaction.puts().keySet()) {
                makeParents(name);
              }
              try {
                client.transaction().forOperations(operations(transaction));
                return true;
              } catch (KeeperException.BadVersionException
                  | KeeperException.NodeExistsException
                  | KeeperException.NoNodeException changed) {
                // the server of this session may lag behind: what is read next has to be new
                client.sync().forPath(path(guard));
                throw new StaleWriteException(
                    guard + " has changed since revision " + transaction.expectedRevision(),
                    changed);
              }
            });
  }

  private List<CuratorOp> operations(Transaction transaction) throws Exception {
    String guard = transaction.guard();
    byte[] text = bytes(transaction.puts().get(guard));
    List<CuratorOp> operations = new ArrayList<>();
    if (transaction.expectedRevision() == Transaction.ABSENT) {
      operations.add(create(guard, text));
    } else {
      operations.add(
          client
              .transactionOp()
              .setData()
              .withVersion(Math.toIntExact(transaction.expectedRevision()))
              .forPath(path(guard), text));
    }
    for (var put : transaction.puts().entrySet()) {
      if (put.getKey().equals(guard)) {
        continue;
      }
      byte[] data = bytes(put.getValue());
      operations.add(
          exists(put.getKey())
              ? client.transactionOp().setData().forPath(path(put.getKey()), data)
              : create(put.getKey(), data));
    }
    for (String name : transaction.deletes()) {
      if (exists(name)) {
        operations.add(client.transactionOp().delete().forPath(path(name)));
      }
    }
    return operations;
  }

  private CuratorOp create(String name, byte[] data) throws Exception {
    return client.transactionOp().create().withACL(acls(name)).forPath(path(name), data);
  }

  private boolean exists(String name) throws Exception {
    return client.checkExists().forPath(path(name)) != null;
  }

  @Override
  public void announce(String name, String text) {
    boolean unused =
        reach(
            name,
            () -> {
              makeParents(name);
              long session = session();
              if (Long.valueOf(session).equals(announced.get(name)) && replace(name, text)) {
                return true;
              }
              try {
                client
                    .create()
                    .withMode(CreateMode.EPHEMERAL)
                    .withACL(acls(name))
                    .forPath(path(name), bytes(text));
              } catch (KeeperException.NodeExistsException there) {
                if (!isOwn(name)) {
                  throw new NameTakenException(name + " was announced by another session", there);
                }
                client.setData().forPath(path(name), bytes(text));
              }
              announced.put(name, session);
              return true;
            });
  }

  /** Returns whether it was there still. */
  private boolean replace(String name, String text) throws Exception {
    try {
      client.setData().forPath(path(name), bytes(text));
      return true;
    } catch (KeeperException.NoNodeException gone) {
      return false;
    }
  }

  @Override
  public void withdraw(String name) {
    boolean unused =
        reach(
            name,
            () -> {
              try {
                announced.remove(name);
                if (isOwn(name)) {
                  client.delete().forPath(path(name));
                }
              } catch (KeeperException.NoNodeException gone) {
                return false;
              }
              return true;
            });
  }

  private boolean isOwn(String name) throws Exception {
    Stat stat = client.checkExists().forPath(path(name));
    return stat != null && stat.getEphemeralOwner() == session();
  }

  /** Has the servers forget this session, as after an absence longer than its time-out. */
  void expire() throws Exception {
    client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
  }

  private long session() throws Exception {
    return client.getZookeeperClient().getZooKeeper().getSessionId();
  }

  @Override
  public Subscription watch(String name, StoreListener listener) {
    PersistentWatcher watcher = new PersistentWatcher(client, path(name), true);
    watcher
        .getListenable()
        .addListener(
            event -> {
              if (event.getType() != Watcher.Event.EventType.None) {
                listener.changed();
              }
            });
    watcher.getResetListenable().addListener(listener::changed);
    ConnectionStateListener states =
        (ignored, state) -> {
          if (state.isConnected()) {
            listener.connected();
          } else {
            listener.disconnected();
          }
        };
    client.getConnectionStateListenable().addListener(states);
    watcher.start();
    return () -> {
      client.getConnectionStateListenable().removeListener(states);
      if (!closed) {
        watcher.close();
      }
    };
  }

  @Override
  public String principal() {
    return reach(
        "principal",
        () ->
            client.getZookeeperClient().getZooKeeper().whoAmI().stream()
                .filter(info -> !info.getAuthScheme().equals("ip"))
                .map(info -> info.getUser())
                .distinct()
                .sorted()
                .collect(Collectors.joining("+")));
  }

  @Override
  public long nowMillis() {
    return reach(
        CLOCK,
        () -> {
          String name = CLOCK + "/" + Long.toHexString(session());
          makeParents(name);
          try {
            return client.setData().forPath(path(name), new byte[0]).getMtime();
          } catch (KeeperException.NoNodeException none) {
            Stat stat = new Stat();
            client
                .create()
                .storingStatIn(stat)
                .withMode(CreateMode.EPHEMERAL)
                .withACL(acls(name))
                .forPath(path(name), new byte[0]);
            return stat.getMtime();
          }
        });
  }

  @Override
  public void close() {
    closed = true;
    client.close();
  }

  /** Something to ask ZooKeeper for. */
  @FunctionalInterface
  private interface Request<T> {
    T run() throws Exception;
  }

  private <T> T reach(String name, Request<T> request) {
    if (closed) {
      throw new StoreUnavailableException("this session was closed");
    }
    awaitFirstConnection();
    try {
      if (!ready) {
        prepare();
      }
      return request.run();
    } catch (KeeperException.NoAuthException denied) {
      throw new StoreAccessDeniedException(
          "ZooKeeper does not let this session touch " + path(name), denied);
    } catch (KeeperException failed) {
      throw isAway(failed)
          ? new StoreUnavailableException("ZooKeeper was lost at " + path(name), failed)
          : new StoreException("ZooKeeper failed at " + path(name) + ": " + failed, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("interrupted at " + path(name), interrupted);
    } catch (RuntimeException | Error thrown) {
      if (closed) {
        throw new StoreUnavailableException("this session was closed", thrown);
      }
      throw thrown;
    } catch (Exception failed) {
      throw new StoreUnavailableException("ZooKeeper was lost at " + path(name), failed);
    }
  }

  private static boolean isAway(KeeperException failed) {
    return switch (failed.code()) {
      case CONNECTIONLOSS,
          SESSIONEXPIRED,
          OPERATIONTIMEOUT,
          SESSIONMOVED,
          SYSTEMERROR,
          AUTHFAILED ->
          true;
      default -> false;
    };
  }

  /** Once; later a connection that is away is found out at once. */
  private void awaitFirstConnection() {
    if (client.getZookeeperClient().isConnected()) {
      return;
    }
    try {
      if (waited
          || !client.blockUntilConnected(
              Math.toIntExact(patience.toMillis()), TimeUnit.MILLISECONDS)) {
        throw new StoreUnavailableException("ZooKeeper is not connected");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("interrupted while connecting", interrupted);
    } finally {
      waited = true;
    }
  }

  /** Makes the folders, and refuses to go on where every client may change the settings. */
  private void prepare() throws Exception {
    for (String name :
        List.of("config/zone/.", "config/instance/.", "history/.", "applied/.", "clock/.")) {
      makeParents(name);
    }
    if (!allowWorldWritable) {
      for (String name :
          List.of("", "config", "head", "config/fleet", "config/canary", "history", "ids")) {
        List<ACL> acls = exists(name) ? client.getACL().forPath(path(name)) : List.of();
        if (Access.isWorldWritable(acls)) {
          throw new StoreAccessDeniedException(
              "every client may change "
                  + path(name)
                  + ": give it an ACL, or allow that with allowWorldWritable()");
        }
      }
    }
    ready = true;
  }

  private void makeParents(String name) throws Exception {
    String path = path(name);
    for (int slash = path.indexOf('/', 1); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      String parent = path.substring(0, slash);
      if (made.contains(parent)) {
        continue;
      }
      if (client.checkExists().forPath(parent) == null) {
        try {
          client.create().withACL(aclsOf(parent)).forPath(parent, new byte[0]);
        } catch (KeeperException.NodeExistsException other) {
          made.add(parent); // another session was first
        }
      }
      made.add(parent);
    }
  }

  private List<ACL> aclsOf(String parent) {
    return parent.startsWith(base + "/")
        ? acls(parent.substring(base.length() + 1))
        : access.ofReports(); // above the application: others may be added beside it
  }

  private List<ACL> acls(String name) {
    int slash = name.indexOf('/');
    return OF_INSTANCES.contains(slash < 0 ? name : name.substring(0, slash))
        ? access.ofReports()
        : access.ofSettings();
  }

  private String path(String name) {
    return name.isEmpty() ? base : base + "/" + name;
  }

  private static byte[] bytes(@Nullable String text) {
    return (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
  }
}
