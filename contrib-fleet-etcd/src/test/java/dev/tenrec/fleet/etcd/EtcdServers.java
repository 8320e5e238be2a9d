// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenrec.fleet.etcd.EtcdGateway.Repeat;
import dev.tenrec.metrics.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Members of a real etcd, each a process of its own, that can be killed and started again. They
 * authenticate: {@code alice} may change {@code /tenrec/}, {@code shop} may read it and report on
 * the application {@code shop}.
 */
final class EtcdServers implements AutoCloseable {

  private final String program;
  private final Path directory;
  private final List<Integer> clientPorts;
  private final List<Integer> peerPorts;
  private final Process[] processes;

  /** Skips the test where there is no etcd. */
  EtcdServers(Path directory, int count) throws IOException {
    this.program = find();
    this.directory = directory;
    List<Integer> ports = FreePorts.take(2 * count);
    this.clientPorts = ports.subList(0, count);
    this.peerPorts = ports.subList(count, 2 * count);
    this.processes = new Process[count];
    for (int i = 0; i < count; i++) {
      start(i);
    }
    enableUsers();
  }

  /** Where etcd is; skips the test, and says so, where it is not. */
  private static String find() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    String found =
        Stream.of(path.split(File.pathSeparator))
            .map(folder -> Path.of(folder, "etcd"))
            .filter(Files::isExecutable)
            .map(Path::toString)
            .findFirst()
            .orElse(null);
    Assumptions.assumeTrue(
        found != null, "SKIPPED: etcd is not installed, no store was tried on a real one");
    return Objects.requireNonNull(found);
  }

  private static String at(int port) {
    return "http://127.0.0.1:" + port;
  }

  String member(int index) {
    return at(clientPorts.get(index));
  }

  String members() {
    return IntStream.range(0, processes.length)
        .mapToObj(this::member)
        .collect(Collectors.joining(","));
  }

  void start(int index) throws IOException {
    String cluster =
        IntStream.range(0, processes.length)
            .mapToObj(i -> "m" + i + "=" + at(peerPorts.get(i)))
            .collect(Collectors.joining(","));
    processes[index] =
        new ProcessBuilder(
                program,
                "--name=m" + index,
                "--data-dir=" + directory.resolve("member-" + index),
                "--listen-client-urls=" + member(index),
                "--advertise-client-urls=" + member(index),
                "--listen-peer-urls=" + at(peerPorts.get(index)),
                "--initial-advertise-peer-urls=" + at(peerPorts.get(index)),
                "--initial-cluster=" + cluster,
                "--bcrypt-cost=4")
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(
                    directory.resolve("member-" + index + ".log").toFile()))
            .start();
  }

  void kill(int index) throws InterruptedException {
    processes[index].destroyForcibly().waitFor();
  }

  /** As root, which may do everything. */
  EtcdGateway asRoot() {
    return gateway("root", "secret-of-root");
  }

  EtcdGateway gateway(String user, String password) {
    return new EtcdGateway(
        Stream.of(members().split(",")).map(URI::create).toList(),
        user,
        password,
        true,
        Duration.ofSeconds(30),
        null);
  }

  private void enableUsers() {
    EtcdGateway gateway = gateway(null, null);
    await()
        .ignoreExceptions() // it refuses connections at first
        .until(
            () -> {
              gateway.call(
                  "kv/range",
                  EtcdGateway.message().put("key", EtcdKeys.encode("x")),
                  Repeat.ALLOWED);
              return true;
            });
    user(gateway, "root");
    user(gateway, "alice");
    user(gateway, "shop");
    grant(gateway, "alice", "READWRITE", "/tenrec/", "/tenrec0");
    grant(gateway, "shop", "READ", "/tenrec/v1/shop/", "/tenrec/v1/shop0");
    grant(gateway, "shop", "READWRITE", "/tenrec/v1/shop/applied/", "/tenrec/v1/shop/applied0");
    ask(gateway, "auth/enable", EtcdGateway.message());
  }

  private static void user(EtcdGateway gateway, String name) {
    ask(
        gateway,
        "auth/user/add",
        EtcdGateway.message().put("name", name).put("password", "secret-of-" + name));
    ask(gateway, "auth/role/add", EtcdGateway.message().put("name", name));
    ask(gateway, "auth/user/grant", EtcdGateway.message().put("user", name).put("role", name));
  }

  private static void grant(EtcdGateway gateway, String role, String kind, String from, String to) {
    ObjectNode message = EtcdGateway.message().put("name", role);
    message
        .putObject("perm")
        .put("permType", kind)
        .put("key", EtcdKeys.encode(from))
        .put("range_end", EtcdKeys.encode(to));
    ask(gateway, "auth/role/grant", message);
  }

  static void ask(EtcdGateway gateway, String path, ObjectNode message) {
    var unused = gateway.call(path, message, Repeat.FORBIDDEN);
  }

  @Override
  public void close() throws InterruptedException {
    for (int i = 0; i < processes.length; i++) {
      kill(i);
    }
  }
}
