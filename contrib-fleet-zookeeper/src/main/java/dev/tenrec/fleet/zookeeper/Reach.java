// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import dev.tenrec.fleet.store.StoreAccessDeniedException;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;

/**
 * Asks ZooKeeper by one session, and says what a failure means. Only the first question waits for
 * the connection. Thread-safe.
 */
final class Reach {

  private final CuratorFramework client;
  private final Nodes nodes;
  private final Duration patience;

  /**
   * Written by the first thread that has waited for the connection, read by any thread, ordered by
   * volatile access.
   */
  private volatile boolean waited;

  /** Written by the closing thread, read by any thread, ordered by volatile access. */
  private volatile boolean closed;

  Reach(CuratorFramework client, Nodes nodes, Duration patience) {
    this.client = client;
    this.nodes = nodes;
    this.patience = patience;
  }

  /** Something to ask ZooKeeper for. */
  @FunctionalInterface
  interface Request<T> {
    T run() throws Exception;
  }

  /**
   * Asks.
   *
   * @param name what the question is about, for the message of a failure
   * @throws StoreException if there is no answer
   */
  <T> T ask(String name, Request<T> request) {
    if (closed) {
      throw new StoreUnavailableException("this session was closed");
    }
    awaitFirstConnection();
    try {
      nodes.prepare();
      return request.run();
    } catch (KeeperException.NoAuthException denied) {
      throw new StoreAccessDeniedException(
          "ZooKeeper does not let this session touch " + nodes.path(name), denied);
    } catch (KeeperException failed) {
      throw isAway(failed)
          ? new StoreUnavailableException("ZooKeeper was lost at " + nodes.path(name), failed)
          : new StoreException("ZooKeeper failed at " + nodes.path(name) + ": " + failed, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("interrupted at " + nodes.path(name), interrupted);
    } catch (RuntimeException | Error thrown) {
      if (closed) {
        throw new StoreUnavailableException("this session was closed", thrown);
      }
      throw thrown;
    } catch (Exception failed) {
      throw new StoreUnavailableException("ZooKeeper was lost at " + nodes.path(name), failed);
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

  boolean isClosed() {
    return closed;
  }

  /** From now on nothing is asked, and what fails did so because of that. */
  void close() {
    closed = true;
  }
}
