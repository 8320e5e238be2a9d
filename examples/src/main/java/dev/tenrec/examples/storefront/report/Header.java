// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import dev.tenrec.examples.storefront.Scenario;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.examples.storefront.shop.HttpService;
import dev.tenrec.examples.storefront.shop.Shop;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** What is to be seen, before it is. */
public final class Header {

  private Header() {}

  /** Prints it. */
  public static void print(
      Scenario scenario,
      Shop shop,
      List<WatchedCommand> commands,
      Path settings,
      URI console,
      PrintStream out) {
    out.println(
        "Storefront on Java "
            + Runtime.version()
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors");
    out.println("Services");
    service(shop.catalog(), "in good health", out);
    service(shop.pricing(), "in good health, one answer in ten slow", out);
    service(
        shop.reviews(),
        "dies after "
            + Columns.seconds(scenario.outageBegins().toNanos())
            + ", back after "
            + Columns.seconds(scenario.outageEnds().toNanos()),
        out);
    out.println("Commands");
    commands.forEach(
        command -> out.println(new Columns().name(command.key()).rest(command.isolation())));
    out.println(
        "Load: "
            + scenario.visitsPerSecond()
            + " shoppers a second for "
            + Columns.seconds(scenario.length().toNanos())
            + ", by the clock, whoever is still waiting");
    out.println("Console: " + console + " in a browser, as long as this runs");
    out.println("Settings: edit " + settings + " meanwhile; it is looked at once a second");
    out.println(
        """
        Table: what was answered since the block before; p50 and p99 as callers see them, of the last 3 s
          short-c.  refused because the circuit was open     bad-req.  the shopper mistyped
          cancel    the shopper gave up                      fallback  how many of these the fallback answered\
        """);
  }

  private static void service(HttpService service, String nature, PrintStream out) {
    out.println(new Columns().name(service.name()).rest(service.uri() + "  " + nature));
  }
}
