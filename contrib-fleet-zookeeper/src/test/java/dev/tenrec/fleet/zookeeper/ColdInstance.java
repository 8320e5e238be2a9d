// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.zookeeper;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * An instance in a process that has loaded nothing yet, as one that starts in an outage: prints
 * what it goes by, and how long that took.
 */
final class ColdInstance {

  private ColdInstance() {}

  /**
   * Starts one, and waits for it.
   *
   * @param lastGood its last-good file
   * @return what it printed
   */
  static String run(String servers, String id, Path lastGood, String key) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty("java.class.path"),
                ColdInstance.class.getName(),
                servers,
                id,
                lastGood.toString(),
                key)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int unused = process.waitFor();
    return said.strip();
  }

  /** With the servers, the instance's id, its last-good file and a setting to print. */
  public static void main(String[] arguments) {
    long begunNanos = System.nanoTime();
    ZooKeeperStore store =
        ZooKeeperStore.builder(arguments[0], "shop")
            .digest("alice", "secret")
            .sessionTimeout(Duration.ofSeconds(6))
            .connectPatience(Duration.ofSeconds(60))
            .open();
    long openedNanos = System.nanoTime();
    FleetMember member =
        FleetMember.builder(store, arguments[1]).lastGood(Path.of(arguments[2])).start();
    long startedNanos = System.nanoTime();
    Tenrec tenrec = Tenrec.builder().remoteSource(member).build();
    var unused =
        tenrec.command("Command-0", (String s) -> s).isolation(Isolation.semaphore(5)).build();
    long builtNanos = System.nanoTime();
    System.out.printf(
        "%s; ms: session %d, last-good settings %d, a Tenrec with a command %d%n",
        tenrec.resolvedSettings().properties().get(arguments[3]),
        (openedNanos - begunNanos) / 1_000_000,
        (startedNanos - openedNanos) / 1_000_000,
        (builtNanos - startedNanos) / 1_000_000);
    System.exit(0); // the session would wait for its servers
  }
}
