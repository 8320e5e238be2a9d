// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import dev.tenrec.metrics.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three ZooKeeper servers, each a process of its own, that can be killed and started again. */
final class Ensemble implements AutoCloseable {

  private static final int SERVERS = 3;

  private final Path directory;
  private final List<Integer> clientPorts;
  private final List<Integer> quorumPorts;
  private final Process[] processes = new Process[SERVERS];

  Ensemble(Path directory) throws IOException {
    this.directory = directory;
    List<Integer> ports = FreePorts.take(3 * SERVERS);
    this.clientPorts = ports.subList(0, SERVERS);
    this.quorumPorts = ports.subList(SERVERS, 3 * SERVERS);
    for (int i = 0; i < SERVERS; i++) {
      start(i);
    }
  }

  String servers() {
    return clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  int size() {
    return SERVERS;
  }

  void start(int index) throws IOException {
    Path data = Files.createDirectories(directory.resolve("server-" + index));
    Files.writeString(data.resolve("myid"), String.valueOf(index + 1));
    String peers =
        IntStream.range(0, SERVERS)
            .mapToObj(
                i ->
                    "server."
                        + (i + 1)
                        + "=127.0.0.1:"
                        + quorumPorts.get(2 * i)
                        + ":"
                        + quorumPorts.get(2 * i + 1))
            .collect(Collectors.joining("\n"));
    Path config =
        Files.writeString(
            data.resolve("zoo.cfg"),
            "tickTime=500\ninitLimit=20\nsyncLimit=10\nmaxClientCnxns=0\nadmin.enableServer=false\n"
                + "clientPortAddress=127.0.0.1\ndataDir="
                + data
                + "\nclientPort="
                + clientPorts.get(index)
                + "\n"
                + peers
                + "\n");
    processes[index] =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-Dzookeeper.jmx.log4j.disable=true",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                config.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(data.resolve("log").toFile()))
            .start();
  }

  void kill(int index) throws InterruptedException {
    processes[index].destroyForcibly().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    for (int i = 0; i < SERVERS; i++) {
      kill(i);
    }
  }
}
