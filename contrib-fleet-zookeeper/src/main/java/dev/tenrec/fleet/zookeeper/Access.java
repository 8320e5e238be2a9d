// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * Which identities may do what with the nodes that are made.
 *
 * @param operators may change settings; if there are none, those of the session that makes a node
 * @param instances may read settings, and report
 * @param open whether every client may do everything
 */
record Access(List<Id> operators, List<Id> instances, boolean open) {

  private static final Id ANYONE = new Id("world", "anyone");

  /** All that the session that makes a node is authenticated as. */
  private static final Id CREATOR = new Id("auth", "");

  /** What changes a node, in any way. */
  private static final int CHANGE = Perms.WRITE | Perms.CREATE | Perms.DELETE | Perms.ADMIN;

  Access {
    operators = List.copyOf(operators);
    instances = List.copyOf(instances);
  }

  /** Of nodes that have settings, or the history. */
  List<ACL> ofSettings() {
    return of(Perms.READ);
  }

  /** Of nodes below which instances report. */
  List<ACL> ofReports() {
    return of(Perms.READ | Perms.WRITE | Perms.CREATE | Perms.DELETE);
  }

  private List<ACL> of(int ofInstances) {
    if (open) {
      return List.of(new ACL(Perms.ALL, ANYONE));
    }
    List<ACL> acls = new ArrayList<>();
    operators.forEach(id -> acls.add(new ACL(Perms.ALL, id)));
    if (operators.isEmpty()) {
      acls.add(new ACL(Perms.ALL, CREATOR));
    }
    instances.forEach(id -> acls.add(new ACL(ofInstances, id)));
    return acls;
  }

  /** Whether every client may change a node of these. */
  static boolean isWorldWritable(List<ACL> acls) {
    return acls.stream()
        .anyMatch(acl -> acl.getId().equals(ANYONE) && (acl.getPerms() & CHANGE) != 0);
  }
}
