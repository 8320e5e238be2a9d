// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import dev.tenrec.fleet.store.StoreAccessDeniedException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/** An application's nodes: where they are, and with which ACLs they are made. Thread-safe. */
final class Nodes {

  private static final Set<String> OF_INSTANCES = Set.of("applied", "clock");

  private final CuratorFramework client;
  private final String base;
  private final Access access;
  private final boolean allowWorldWritable;

  /** Nodes that have been made, or found; any of them may have been deleted since. */
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  /**
   * The nodes are there, and their ACLs have been looked at. Written by the thread that did it,
   * read by any thread, ordered by volatile access.
   */
  private volatile boolean ready;

  /**
   * The change that made the head, as this session saw it last; 0 if it has not. Written and read
   * by any thread, ordered by volatile access.
   */
  private volatile long headMadeBy;

  Nodes(CuratorFramework client, String base, Access access, boolean allowWorldWritable) {
    this.client = client;
    this.base = base;
    this.access = access;
    this.allowWorldWritable = allowWorldWritable;
  }

  /**
   * Makes the folders, if that was not done, and refuses to go on where every client may change the
   * settings.
   */
  void prepare() throws Exception {
    if (ready) {
      return;
    }
    for (String name :
        List.of("config/zone/.", "config/instance/.", "history/.", "applied/.", "clock/.")) {
      makeParents(name);
    }
    if (!allowWorldWritable) {
      for (String name :
          List.of("", "config", "head", "config/fleet", "config/canary", "history", "ids")) {
        refuseIfOpen(name);
      }
      for (String folder : List.of("config/zone", "config/instance")) {
        refuseIfSeenOpen(folder);
        for (String child : children(folder)) {
          refuseIfSeenOpen(folder + "/" + child);
        }
      }
    }
    ready = true;
  }

  /** What this session may not look at it may not read either: it sets nothing here. */
  private void refuseIfSeenOpen(String name) throws Exception {
    try {
      refuseIfOpen(name);
    } catch (KeeperException.NoAuthException hidden) {
      return;
    }
  }

  private List<String> children(String folder) throws Exception {
    try {
      return client.getChildren().forPath(path(folder));
    } catch (KeeperException.NoAuthException hidden) {
      return List.of();
    }
  }

  private void refuseIfOpen(String name) throws Exception {
    List<ACL> acls;
    try {
      acls = client.getACL().forPath(path(name));
    } catch (KeeperException.NoNodeException none) {
      return;
    }
    if (Access.isWorldWritable(acls)) {
      throw new StoreAccessDeniedException(
          "every client may change "
              + path(name)
              + ": give it an ACL, or allow that with allowWorldWritable()");
    }
  }

  /**
   * Has all nodes looked at anew if the head is another than before: somebody has wiped the store,
   * and others have made its nodes since.
   *
   * @param name what was read
   * @param stat of its node
   */
  void seen(String name, Stat stat) throws Exception {
    if (!name.equals("head")) {
      return;
    }
    long before = headMadeBy;
    if (before != 0 && before != stat.getCzxid()) {
      lookAnew(); // first: no thread may take the new head for one that was looked at
    }
    headMadeBy = stat.getCzxid();
  }

  private void lookAnew() throws Exception {
    made.clear();
    ready = false;
    prepare();
  }

  /**
   * Asks ZooKeeper for what needs the nodes above these names, which are made where they are not
   * there. What was deleted since this session made or found it, as by somebody who wipes the
   * store, is noticed by what fails: then all are looked at anew, and it is asked once more.
   */
  <T> T withParents(Collection<String> names, Callable<T> request) throws Exception {
    try {
      return makeParents(names, request);
    } catch (KeeperException.NoNodeException deleted) {
      lookAnew(); // others may have made them, so that every client may change them
      return makeParents(names, request);
    }
  }

  private <T> T makeParents(Collection<String> names, Callable<T> request) throws Exception {
    for (String name : names) {
      makeParents(name);
    }
    return request.call();
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

  /** With which the node of a name is made. */
  List<ACL> acls(String name) {
    int slash = name.indexOf('/');
    return OF_INSTANCES.contains(slash < 0 ? name : name.substring(0, slash))
        ? access.ofReports()
        : access.ofSettings();
  }

  /** Whether there is a node of this name. */
  boolean exists(String name) throws Exception {
    return client.checkExists().forPath(path(name)) != null;
  }

  /** Where the node of a name is. */
  String path(String name) {
    return name.isEmpty() ? base : base + "/" + name;
  }
}
