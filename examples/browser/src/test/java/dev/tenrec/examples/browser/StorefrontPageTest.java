// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.console.Browser;
import dev.tenrec.console.Console;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.examples.storefront.command.Calls;
import dev.tenrec.examples.storefront.command.SettingsFile;
import dev.tenrec.examples.storefront.command.ShopClient;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.examples.storefront.load.CallLog;
import dev.tenrec.examples.storefront.load.Shoppers;
import dev.tenrec.examples.storefront.shop.Shop;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The storefront on the console's page, in a browser, while a service dies and comes back. */
@Tag("external")
class StorefrontPageTest {

  private static final Duration PATIENCE = PatientWaits.patience();
  private static final Duration ROUND = Duration.ofMillis(300);
  private static final String REVIEWS = "GetReviews";

  @TempDir Path directory;

  @Test
  void page_whileReviewsDieAndComeBack_showsIt() throws Exception {
    SettingsFile file =
        SettingsFile.create(directory, Duration.ofMillis(300), Duration.ofMinutes(10));
    long begin = System.nanoTime();
    Ticker clock = () -> System.nanoTime() - begin;
    try (Browser browser = Browser.open();
        Shop shop = Shop.open(1);
        ShopClient client = new ShopClient(shop);
        Tenrec tenrec = Tenrec.builder().propertiesFile(file.path()).build();
        Console console = Console.start(tenrec, 0)) {
      // a trial on a machine that is busy is no failure
      tenrec.set(
          "tenrec.command." + REVIEWS + ".execution.isolation.thread.timeoutInMilliseconds",
          "60000");
      client.greet();
      Calls calls = new Calls(tenrec, client, clock);
      CallLog log = new CallLog(clock, calls.watched().stream().map(WatchedCommand::key).toList());
      browser.size(1280, 800);
      browser.driver.get(console.uri().toString());
      browser.awaitText("#link", "live");
      browser.awaitText(".row", REVIEWS);
      browser.one("#filter").sendKeys(REVIEWS);
      browser.awaitText("#shown", "1 of " + calls.watched().size());
      browser.awaitText(".row", "● closed");
      try (Shoppers shoppers = new Shoppers(clock, calls, log)) {
        shop.reviews().die();
        comeUntilShown(browser, shoppers, clock, "■ OPEN");
        browser.awaitText(".row", "calls failed");
        shop.reviews().comeBack();
        comeUntilShown(browser, shoppers, clock, "● closed");
        assertThat(shoppers.awaitAnswers(PATIENCE)).isTrue();
      }
      await()
          .until(
              () ->
                  tenrec.commands().stream()
                      .allMatch(command -> command.concurrency() + command.stillBusy() == 0));
      browser.one(".row").click();
      browser.awaitText("#story h2", REVIEWS);
      browser.awaitText("#story", "circuit CLOSED -> OPEN");
      browser.awaitText("#story", "circuit HALF_OPEN -> CLOSED");
      CommandDetails reviews =
          tenrec.commands().stream()
              .filter(command -> command.key().equals(REVIEWS))
              .findFirst()
              .orElseThrow();
      for (EventType event :
          List.of(EventType.SUCCESS, EventType.FAILURE, EventType.SHORT_CIRCUITED)) {
        assertThat(reviews.cumulativeCount(event)).isPositive();
        String words = event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        browser.await( // a thread may count after its permit is back: they are read each time
            words,
            () -> {
              String figure = String.format(Locale.ROOT, "\t%,d", reviews.cumulativeCount(event));
              return browser // in the window, and in all
                  .text("#story table")
                  .contains(words + figure + figure);
            });
      }
      browser.hasNothingToComplainOf();
    }
  }

  /** Shoppers come until the page has these words. */
  private static void comeUntilShown(
      Browser browser, Shoppers shoppers, Ticker clock, String words) {
    await(words)
        .atMost(PATIENCE)
        .until(
            () -> {
              shoppers.comeUntil(Duration.ofNanos(clock.nanoTime()).plus(ROUND), 60);
              return browser.text(".row").contains(words);
            });
  }
}
