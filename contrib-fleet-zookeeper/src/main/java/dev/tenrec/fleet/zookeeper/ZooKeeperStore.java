// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import dev.tenrec.core.config.Subscription;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.NameTakenException;
import dev.tenrec.fleet.store.StaleWriteException;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.fleet.store.Stored;
import dev.tenrec.fleet.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final CuratorFramework client;
  private final Nodes nodes;
  private final Reach reach;
  private final Duration sessionTimeout;

  /** The session by which a name was announced: as long as it lives, the name is its. */
  private final Map<String, Long> announced = new ConcurrentHashMap<>();

  ZooKeeperStore(CuratorFramework client, Nodes nodes, Duration patience, Duration sessionTimeout) {
    this.client = client;
    this.nodes = nodes;
    this.reach = new Reach(client, nodes, patience);
    this.sessionTimeout = sessionTimeout;
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
        reach.ask(
            name,
            () -> {
              Stat stat = new Stat();
              try {
                byte[] data = client.getData().storingStatIn(stat).forPath(nodes.path(name));
                nodes.seen(name, stat);
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
        : reach.<List<@Nullable Stored>>ask(
            names.get(0),
            () -> {
              List<CompletableFuture<CuratorEvent>> asked = new ArrayList<>();
              for (String name : names) {
                CompletableFuture<CuratorEvent> answer = new CompletableFuture<>();
                asked.add(answer);
                client
                    .getData()
                    .inBackground((ignored, event) -> answer.complete(event))
                    .forPath(nodes.path(name));
              }
              long silenceMillis = longestSilenceMillis();
              List<@Nullable Stored> all = new ArrayList<>();
              for (CompletableFuture<CuratorEvent> answer : asked) {
                all.add(stored(answer.get(silenceMillis, TimeUnit.MILLISECONDS)));
              }
              return all;
            });
  }

  /** The session's time-out, which servers have bounds for: a silent connection is lost by then. */
  private long longestSilenceMillis() throws Exception {
    return Math.max(
        sessionTimeout.toMillis(), client.getZookeeperClient().getZooKeeper().getSessionTimeout());
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
    return reach.ask(
        folder,
        () -> {
          try {
            return client.getChildren().forPath(nodes.path(folder));
          } catch (KeeperException.NoNodeException none) {
            return List.of();
          }
        });
  }

  @Override
  public void commit(Transaction transaction) {
    String guard = transaction.guard();
    boolean unused =
        reach.ask(
            guard,
            () -> {
              try {
                return nodes.withParents(
                    transaction.puts().keySet(),
                    () -> {
                      client.transaction().forOperations(operations(transaction));
                      return true;
                    });
              } catch (KeeperException.BadVersionException
                  | KeeperException.NodeExistsException
                  | KeeperException.NoNodeException changed) {
                // the server of this session may lag behind: what is read next has to be new
                client.sync().forPath(nodes.path(guard));
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
              .forPath(nodes.path(guard), text));
    }
    for (var put : transaction.puts().entrySet()) {
      if (put.getKey().equals(guard)) {
        continue;
      }
      byte[] data = bytes(put.getValue());
      operations.add(
          nodes.exists(put.getKey())
              ? client.transactionOp().setData().forPath(nodes.path(put.getKey()), data)
              : create(put.getKey(), data));
    }
    for (String name : transaction.deletes()) {
      if (nodes.exists(name)) {
        operations.add(client.transactionOp().delete().forPath(nodes.path(name)));
      }
    }
    return operations;
  }

  private CuratorOp create(String name, byte[] data) throws Exception {
    return client
        .transactionOp()
        .create()
        .withACL(nodes.acls(name))
        .forPath(nodes.path(name), data);
  }

  @Override
  public void announce(String name, String text) {
    boolean unused =
        reach.ask(
            name,
            () ->
                nodes.withParents(
                    List.of(name),
                    () -> {
                      write(name, text);
                      return true;
                    }));
  }

  private void write(String name, String text) throws Exception {
    long session = session();
    if (Long.valueOf(session).equals(announced.get(name)) && replace(name, text)) {
      return;
    }
    try {
      client
          .create()
          .withMode(CreateMode.EPHEMERAL)
          .withACL(nodes.acls(name))
          .forPath(nodes.path(name), bytes(text));
    } catch (KeeperException.NodeExistsException there) {
      if (!isOwn(name)) {
        throw new NameTakenException(name + " was announced by another session", there);
      }
      client.setData().forPath(nodes.path(name), bytes(text));
    }
    announced.put(name, session);
  }

  /** Returns whether it was there still. */
  private boolean replace(String name, String text) throws Exception {
    try {
      client.setData().forPath(nodes.path(name), bytes(text));
      return true;
    } catch (KeeperException.NoNodeException gone) {
      return false;
    }
  }

  @Override
  public void withdraw(String name) {
    boolean unused =
        reach.ask(
            name,
            () -> {
              try {
                announced.remove(name);
                if (isOwn(name)) {
                  client.delete().forPath(nodes.path(name));
                }
              } catch (KeeperException.NoNodeException gone) {
                return false;
              }
              return true;
            });
  }

  private boolean isOwn(String name) throws Exception {
    Stat stat = client.checkExists().forPath(nodes.path(name));
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
    PersistentWatcher watcher = new PersistentWatcher(client, nodes.path(name), true);
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
      if (!reach.isClosed()) {
        watcher.close();
      }
    };
  }

  @Override
  public String principal() {
    return reach.ask(
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
    return reach.ask(
        CLOCK,
        () -> {
          String name = CLOCK + "/" + Long.toHexString(session());
          return nodes.withParents(List.of(name), () -> touch(name));
        });
  }

  /** Writes this name of the session's, and says when. */
  private long touch(String name) throws Exception {
    try {
      return client.setData().forPath(nodes.path(name), new byte[0]).getMtime();
    } catch (KeeperException.NoNodeException none) {
      Stat stat = new Stat();
      client
          .create()
          .storingStatIn(stat)
          .withMode(CreateMode.EPHEMERAL)
          .withACL(nodes.acls(name))
          .forPath(nodes.path(name), new byte[0]);
      return stat.getMtime();
    }
  }

  @Override
  public void close() {
    reach.close();
    client.close();
  }

  private static byte[] bytes(@Nullable String text) {
    return (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
  }
}
