// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.fleet;

import dev.tenrec.console.Console;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.zookeeper.ZooKeeperStore;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One instance: a process that asks for prices all the time, and follows the fleet's settings. It
 * prints each version it has applied with the time, and at its end, which comes with that of its
 * standard input, what it counted.
 */
public final class Shop {

  private static final Duration PAUSE = Duration.ofMillis(100);

  private Shop() {}

  /**
   * Runs until the standard input ends.
   *
   * @param args the servers, the instance's id, its zone, a directory, the address of the prices
   */
  public static void main(String[] args) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(URI.create(args[4])).build();
    try (ZooKeeperStore store =
            ZooKeeperStore.builder(args[0], "shop").digest("operator", Fleet.PASSWORD).open();
        FleetMember member =
            FleetMember.builder(store, args[1])
                .zone(args[2])
                .lastGood(Path.of(args[3], args[1] + ".last-good"))
                .start();
        Tenrec tenrec = Tenrec.builder().remoteSource(member).build();
        Console console = Console.start(tenrec, 0)) {
      Command<String, String> getPrice =
          tenrec
              .command(
                  "GetPrice",
                  (String sku) -> client.send(request, HttpResponse.BodyHandlers.ofString()).body())
              .isolation(Isolation.threadPool().coreSize(2))
              .fallbackValue("ask")
              .build();
      var unused =
          member.subscribe( // after the Tenrec's own subscription: it goes by it already
              () ->
                  System.out.println(
                      "applied " + member.status().version() + " " + Instant.now().toEpochMilli()));
      member.observe(tenrec);
      member.console( // so that the fleet's page leads to this one's
          URI.create("http://127.0.0.1:" + console.address().getPort() + "/tenrec/"));
      AtomicBoolean isOver = new AtomicBoolean();
      Thread waiting = new Thread(() -> awaitEnd(isOver), "input");
      waiting.setDaemon(true);
      waiting.start();
      while (!isOver.get()) {
        String price = getPrice.execute("sku");
        if (price.isEmpty()) {
          throw new IllegalStateException("no price, and no fallback");
        }
        Thread.sleep(PAUSE.toMillis());
      }
      CommandView view = getPrice.view();
      System.out.println(
          "counted "
              + view.cumulativeCount(EventType.SUCCESS)
              + " "
              + view.cumulativeCount(EventType.FALLBACK_SUCCESS)
              + " "
              + view.cumulativeCount(EventType.SHORT_CIRCUITED));
    }
  }

  /** By a byte, or by the end of the process at the other end: no shop outlives the example. */
  private static void awaitEnd(AtomicBoolean isOver) {
    try {
      int unused = System.in.read();
    } catch (IOException gone) {
      System.err.println("the input broke off: " + gone);
    } finally {
      isOver.set(true);
    }
  }
}
