// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import dev.tenrec.console.Console;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.examples.storefront.command.Calls;
import dev.tenrec.examples.storefront.command.SettingsFile;
import dev.tenrec.examples.storefront.command.SettingsLog;
import dev.tenrec.examples.storefront.command.ShopClient;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.examples.storefront.load.CallLog;
import dev.tenrec.examples.storefront.load.Shoppers;
import dev.tenrec.examples.storefront.report.Account;
import dev.tenrec.examples.storefront.report.Accounting;
import dev.tenrec.examples.storefront.report.Check;
import dev.tenrec.examples.storefront.report.Header;
import dev.tenrec.examples.storefront.report.JsonReport;
import dev.tenrec.examples.storefront.report.LiveTable;
import dev.tenrec.examples.storefront.report.News;
import dev.tenrec.examples.storefront.report.Summary;
import dev.tenrec.examples.storefront.shop.Shop;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;

/**
 * A storefront that calls three HTTP services through Tenrec: one in good health, one with a slow
 * tail, and one that dies and comes back. Shows what becomes of the calls, once a second, and
 * accounts for each of them at the end.
 */
public final class Storefront {

  /** All was answered, accounted for and given back, and the circuit opened and closed. */
  public static final int HOLDS = 0;

  private static final int DOES_NOT_HOLD = 1;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** In steps of this much shoppers go on coming where a slow machine has not shown all yet. */
  private static final Duration ENCORE = Duration.ofMillis(500);

  /** So that a page which is open has the last figures, too: it is sent some twice a second. */
  private static final long LAST_LOOK_MILLIS = 1_500;

  private static final long LOOK_MILLIS = 20;

  private static final String SHORTER_TIMEOUT_MILLIS = "200";

  private final Scenario scenario;
  private final PrintStream out;
  private final Function<TenrecBuilder, Tenrec> build;

  private Storefront(Scenario scenario, PrintStream out, Function<TenrecBuilder, Tenrec> build) {
    this.scenario = scenario;
    this.out = out;
    this.build = build;
  }

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Arguments()).execute(arguments));
  }

  /**
   * Runs it and returns the exit code.
   *
   * @param out where table and summary go
   */
  public static int run(Scenario scenario, PrintStream out) throws Exception {
    return run(scenario, out, TenrecBuilder::build);
  }

  /** The same, for a test that looks into its Tenrec. */
  static int run(Scenario scenario, PrintStream out, Function<TenrecBuilder, Tenrec> build)
      throws Exception {
    return new Storefront(scenario, out, build).run();
  }

  private int run() throws Exception {
    SettingsFile file =
        SettingsFile.create(scenario.directory(), scenario.sleepWindow(), scenario.rollingWindow());
    try (Shop shop = Shop.open(scenario.seed());
        ShopClient client = new ShopClient(shop)) {
      client.greet();
      return run(file, shop, client);
    }
  }

  private int run(SettingsFile file, Shop shop, ShopClient client) throws Exception {
    long beginNanos = System.nanoTime();
    Ticker clock = () -> System.nanoTime() - beginNanos;
    SettingsLog settings = new SettingsLog(clock);
    try (Tenrec tenrec =
            build.apply(Tenrec.builder().propertiesFile(file.path()).onSettingChange(settings));
        Console console = Console.start(tenrec, 0)) {
      Calls calls = new Calls(tenrec, client, clock);
      CallLog log = new CallLog(clock, calls.watched().stream().map(WatchedCommand::key).toList());
      News news = new News(clock, calls.watched(), settings);
      Header.print(scenario, shop, calls.watched(), file.path(), console.uri(), out);
      LiveTable table = new LiveTable(tenrec, calls.watched(), news, out);
      try (Timetable timetable = new Timetable(clock);
          Shoppers shoppers = new Shoppers(clock, calls, log)) {
        timetable.at(scenario.outageBegins(), () -> die(shop, news));
        Story story = new Story(clock, calls, settings);
        timetable.at(scenario.outageEnds(), () -> comeBack(story, shop, news));
        timetable.at(scenario.changeAt(), () -> shorten(file, news));
        timetable.eachSecond(() -> table.print(clock.nanoTime()));
        shoppers.comeFor(scenario.length(), scenario.visitsPerSecond());
        story.await(
            story::isOver, PATIENCE, () -> shoppers.comeFor(ENCORE, scenario.visitsPerSecond()));
        boolean answered = shoppers.awaitAnswers(PATIENCE);
        timetable.finish();
        news.report(
            answered
                ? "no more shoppers, and the last call is answered"
                : "no more shoppers, but some calls were not answered for " + PATIENCE);
      }
      table.print(clock.nanoTime());
      if (console.clients() > 0) {
        Thread.sleep(LAST_LOOK_MILLIS);
      }
      LeakCheck leakCheck = new LeakCheck(clock, tenrec);
      long permits = leakCheck.permits(calls.watched());
      tenrec.close();
      console.close(); // its threads would be taken for what the other has left
      return report(
          new Account(
              scenario.length(),
              calls.watched(),
              log,
              settings.entries(),
              leakCheck.afterClose(permits)));
    }
  }

  private static void die(Shop shop, News news) throws IOException {
    shop.reviews().die();
    news.report("reviews died: " + shop.reviews().uri() + " refuses connections");
  }

  private static void comeBack(Story story, Shop shop, News news) throws Exception {
    story.await(story::outageShows, PATIENCE, () -> Thread.sleep(LOOK_MILLIS));
    shop.reviews().comeBack();
    news.report("reviews is back at " + shop.reviews().uri());
  }

  private static void shorten(SettingsFile file, News news) throws IOException {
    file.set(SettingsFile.PRICE_TIMEOUT, SHORTER_TIMEOUT_MILLIS);
    news.report(
        "the storefront wrote "
            + SettingsFile.PRICE_TIMEOUT
            + "="
            + SHORTER_TIMEOUT_MILLIS
            + " into "
            + file.path());
  }

  private int report(Account account) throws IOException {
    List<Check> checks = Accounting.of(account);
    Path json = scenario.directory().resolve("storefront.json");
    JsonReport.write(json, account, checks);
    Summary.print(account, checks, out);
    boolean holds = checks.stream().allMatch(Check::holds);
    out.println();
    out.println("Written to " + json + "; exit code " + (holds ? HOLDS : DOES_NOT_HOLD));
    return holds ? HOLDS : DOES_NOT_HOLD;
  }
}
