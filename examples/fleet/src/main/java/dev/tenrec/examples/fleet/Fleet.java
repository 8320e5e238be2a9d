// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.fleet;

import dev.tenrec.console.Console;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.Rollout;
import dev.tenrec.fleet.model.CanaryGuard;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.curator.test.TestingServer;

/**
 * A ZooKeeper in this process, a page of the fleet, twenty shops as processes, and an operator who
 * changes their time-out by a canary, sees a dependency break, forces circuits open, loses the
 * ZooKeeper and gets it back. Ends with an account.
 */
public final class Fleet {

  static final String PASSWORD = "not-a-secret-on-loopback";
  private static final String TOKEN = "for-this-machine-only";
  private static final String COMMAND = "tenrec.command.GetPrice.";
  private static final String TIMEOUT =
      COMMAND + "execution.isolation.thread.timeoutInMilliseconds";
  private static final String FORCE_OPEN = COMMAND + "circuitBreaker.forceOpen";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<ShopProcess> shops = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final FleetOperator operator;
  private final int size;
  private boolean complete = true;

  private Fleet(FleetOperator operator, int size) {
    this.operator = operator;
    this.size = size;
  }

  /**
   * Plays it.
   *
   * @param args how many shops, 20 by default; and {@code stay} to keep them, with the page, until
   *     Enter
   */
  public static void main(String[] args) throws Exception {
    int size = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    Path directory = Files.createTempDirectory("tenrec-fleet");
    boolean stay = args.length > 1 && args[1].equals("stay");
    boolean complete;
    try (TestingServer server = new TestingServer(true);
        Prices prices = new Prices();
        ZooKeeperStore store =
            ZooKeeperStore.builder(server.getConnectString(), "shop")
                .digest("operator", PASSWORD)
                .open();
        Tenrec own = Tenrec.create();
        Console console =
            Console.builder(own)
                .fleet(FleetOperator.of(store))
                .instances(List.of("127.0.0.1"))
                .operator(TOKEN, FleetOperator.of(store))
                .start()) {
      say("the fleet is at " + console.uri() + "?token=" + TOKEN + "#/fleet");
      complete = new Fleet(FleetOperator.of(store), size).play(server, prices, directory, stay);
    }
    delete(directory);
    System.exit(complete ? 0 : 1);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> lastGood = Files.list(directory)) {
      for (Path each : lastGood.toList()) {
        Files.delete(each);
      }
    }
    Files.delete(directory);
  }

  private boolean play(TestingServer server, Prices prices, Path directory, boolean stay)
      throws Exception {
    try {
      for (int i = 0; i < size; i++) {
        shops.add(
            new ShopProcess(
                server.getConnectString(),
                "shop-" + i,
                "zone-" + i % 2,
                directory,
                prices.address()));
      }
      await("all shops report", () -> operator.members().size() == size);
      say(size + " shops are there");
      change("a time-out for all", as -> set(as, "1000"));
      change(
          "a tighter one on two of them",
          as ->
              as.change("would 300 ms do?")
                  .set(FleetLayer.CANARY, TIMEOUT, "300")
                  .canary(List.of("shop-0", "shop-1"), 0, Duration.ofMinutes(10))
                  .guard(new CanaryGuard("GetPrice", 20, 20, null, null))
                  .write());
      change("it does: for all", as -> as.promote("no time-outs on shop-0 and shop-1"));
      prices.breaks();
      say("the prices break");
      Thread.sleep(3_000);
      change(
          "nothing may ask for 10 s",
          as ->
              as.change("let the prices start in peace")
                  .setFor(FleetLayer.FLEET, FORCE_OPEN, "true", Duration.ofSeconds(10))
                  .write());
      prices.recovers();
      say("the prices are back");
      Thread.sleep(11_000);
      say("the 10 s are over: no instance was asked to end it");
      server.stop();
      say("ZooKeeper is gone; the shops go on");
      Thread.sleep(5_000);
      server.restart();
      say("ZooKeeper is back");
      change("and all follow", as -> set(as, "500"));
      if (stay) {
        say("Enter ends it");
        int unused = System.in.read();
      }
      account(stay);
    } finally {
      shops.forEach(ShopProcess::close);
    }
    return complete;
  }

  private static Change set(FleetOperator operator, String millis) {
    return operator
        .change("a time-out of " + millis + " ms")
        .set(FleetLayer.FLEET, TIMEOUT, millis)
        .write();
  }

  /** Written again until there is an answer; by its id it is written once. */
  private void change(String what, Function<FleetOperator, Change> write)
      throws InterruptedException {
    FleetOperator once = operator.withId("change-" + changes.size());
    Change change = null;
    while (change == null) {
      try {
        change = write.apply(once);
      } catch (StoreException away) { // it has just come back
        Thread.sleep(500);
      }
    }
    changes.add(change);
    long version = change.version();
    await(what, () -> operator.rollout(version, PATIENCE).applied().size() == size);
    Rollout rollout = operator.rollout(version, PATIENCE);
    say(what + ": version " + version + " applied by " + rollout.applied().size() + " of " + size);
    rollout.remarks().forEach((id, remark) -> System.out.println("    " + id + " " + remark));
  }

  /** Each change, and when the last shop had it; and that all are in step. */
  private void account(boolean stay) throws Exception {
    System.out.println();
    for (Change change : changes) {
      long last = 0;
      int seen = 0;
      for (ShopProcess shop : shops) {
        long millis = shop.appliedMillis(change.version());
        last = Math.max(last, millis);
        seen += millis > 0 ? 1 : 0;
      }
      System.out.printf(
          "version %d, %s by %s (%s): changed %d shops, the last after %d ms%n",
          change.version(),
          change.kind(),
          change.author(),
          change.reason(),
          seen,
          seen == 0 ? 0 : last - change.whenMillis());
    }
    long version = operator.state().manifest().version();
    await("all in step", () -> operator.rollout(version, PATIENCE).applied().size() == size);
    List<MemberReport> members = operator.members();
    long inStep = members.stream().filter(each -> each.version() == version).count();
    long hashes = members.stream().map(MemberReport::effectiveHash).distinct().count();
    long[] counted = new long[3];
    int ended = 0;
    for (ShopProcess shop : shops) {
      List<Long> counts = shop.end();
      ended += counts.isEmpty() ? 0 : 1;
      for (int i = 0; i < counts.size(); i++) {
        counted[i] += counts.get(i);
      }
    }
    System.out.printf(
        "%d of %d shops go by version %d, with %d set of settings in force%n",
        inStep, size, version, hashes);
    System.out.printf(
        "%d calls: %d prices, %d times \"ask\" (%d of them short-circuited), no call failed in %d"
            + " shops%n",
        counted[0] + counted[1], counted[0], counted[1], counted[2], ended);
    complete =
        inStep == size && hashes == 1 && ended == size && (stay || version == changes.size());
    System.out.println(complete ? "Nothing was lost." : "Something was lost.");
  }

  private static void await(String what, Supplier<Boolean> condition) throws InterruptedException {
    Instant end = Instant.now().plus(PATIENCE);
    while (!asked(condition)) {
      if (Instant.now().isAfter(end)) {
        throw new IllegalStateException("it did not come about: " + what);
      }
      Thread.sleep(200);
    }
  }

  private static boolean asked(Supplier<Boolean> condition) {
    try {
      return condition.get();
    } catch (StoreException away) {
      return false;
    }
  }

  private static void say(String text) {
    System.out.println(text);
  }
}
