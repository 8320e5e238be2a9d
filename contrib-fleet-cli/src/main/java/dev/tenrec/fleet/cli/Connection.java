// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.etcd.EtcdStore;
import dev.tenrec.fleet.etcd.EtcdStoreBuilder;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.zookeeper.ZooKeeperStore;
import dev.tenrec.fleet.zookeeper.ZooKeeperStoreBuilder;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * Where the store is, and as what to talk to it. The password is never an argument: others see
 * these.
 */
final class Connection {

  @Spec(Spec.Target.MIXEE)
  @Nullable CommandSpec spec;

  @Option(
      names = "--servers",
      defaultValue = "${env:TENREC_SERVERS:-127.0.0.1:2181}",
      scope = ScopeType.INHERIT,
      description =
          "ZooKeeper's servers, or etcd's members with http:// or https:// before each; or"
              + " TENREC_SERVERS. Default: ${DEFAULT-VALUE}")
  String servers = "";

  @Option(
      names = "--app",
      defaultValue = "${env:TENREC_APPLICATION:-application}",
      scope = ScopeType.INHERIT,
      description = "whose settings; or TENREC_APPLICATION. Default: ${DEFAULT-VALUE}")
  String application = "";

  @Option(
      names = "--user",
      defaultValue = "${env:TENREC_USER:-}",
      scope = ScopeType.INHERIT,
      description =
          "a user of ZooKeeper's scheme digest, or of etcd's; or TENREC_USER. The password is"
              + " TENREC_PASSWORD")
  String user = "";

  @Option(
      names = "--prefix",
      defaultValue = "tenrec",
      scope = ScopeType.INHERIT,
      description = "what keys begin with. Default: ${DEFAULT-VALUE}")
  String prefix = "";

  @Option(
      names = "--allow-anonymous",
      scope = ScopeType.INHERIT,
      description = "goes on without an identity, where every client may change the settings")
  boolean anonymous;

  @Option(
      names = "--connect-timeout",
      defaultValue = "10s",
      scope = ScopeType.INHERIT,
      description = "how long to wait for the store. Default: ${DEFAULT-VALUE}")
  Duration patience = Duration.ZERO;

  @Option(names = "--json", scope = ScopeType.INHERIT, description = "answers in JSON")
  boolean json;

  /** What a subcommand does with the store. */
  @FunctionalInterface
  interface Use {
    int with(FleetOperator operator, Printer printer);
  }

  int use(PrintWriter out, @Nullable String password, Use use) {
    String secret = password == null ? "" : password;
    if (!user.isEmpty() && secret.isEmpty()) {
      throw new IllegalArgumentException("--user needs a password in TENREC_PASSWORD");
    }
    try (FleetStore store = isEtcd() ? etcd(secret) : zooKeeper(secret)) {
      FleetOperator operator = FleetOperator.of(store).prefix(prefix);
      return use.with(anonymous ? operator.allowAnonymous() : operator, new Printer(out, json));
    }
  }

  private boolean isEtcd() {
    return servers.startsWith("http://") || servers.startsWith("https://");
  }

  private FleetStore zooKeeper(String password) {
    ZooKeeperStoreBuilder builder =
        ZooKeeperStore.builder(servers, application).connectPatience(patience);
    if (!user.isEmpty()) {
      builder.digest(user, password);
    }
    return anonymous ? builder.allowWorldWritable().open() : builder.open();
  }

  private FleetStore etcd(String password) {
    EtcdStoreBuilder builder = EtcdStore.builder(servers, application).requestTimeout(patience);
    if (!user.isEmpty()) {
      builder.user(user, password);
    }
    return anonymous ? builder.allowUnauthenticated().open() : builder.open();
  }
}
