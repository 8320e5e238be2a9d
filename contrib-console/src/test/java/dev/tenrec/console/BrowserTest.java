// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page as a browser shows it. Skipped where there is no Chromium. */
class BrowserTest {

  private static final String ODD = "<img src=x onerror=document.title='hacked'>\"'&\n</script>";

  private static Browser browser;

  private final Tenrec tenrec = Tenrec.create();
  private final AtomicBoolean down = new AtomicBoolean();
  private Console console;

  @BeforeAll
  static void open() {
    browser = Browser.open();
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    console = Console.start(tenrec, 0);
  }

  @AfterEach
  void stop() {
    browser.clear();
    console.close();
    tenrec.close();
  }

  private Command<Integer, Integer> command(String key) {
    return tenrec
        .command(
            key,
            (Integer i) -> {
              if (down.get()) {
                throw new IllegalStateException("down");
              }
              return i;
            })
        .group("Shop")
        .isolation(Isolation.semaphore(3))
        .errorThreshold(50, 4)
        .sleepWindow(Duration.ofSeconds(60))
        .fallbackValue(0)
        .build();
  }

  @Test
  void page_whileADependencyDiesAndRecovers_showsItAndRunsNoKeyAsMarkup() throws Exception {
    Command<Integer, Integer> getReviews = command("GetReviews");
    command(ODD);
    for (int i = 0; i < 500; i++) {
      command("Quiet" + i);
    }
    browser.size(1280, 800);
    browser.driver.get(console.uri().toString());
    browser.awaitText("#link", "live");
    browser.awaitText("#summary", "502 commands");
    assertThat(browser.all(".row").size()).as("rows there are for 502 commands").isLessThan(60);

    down.set(true);
    for (int i = 0; i < 20; i++) {
      getReviews.attempt(i);
    }
    browser.awaitText("#summary", "1 OPEN");
    browser.awaitText(".row", "calls failed");
    browser.awaitText(".row", "tries in");

    browser.one("#filter").sendKeys("onerror");
    browser.awaitText("#shown", "1 of 502");
    browser.awaitText(".row", "<img src=x onerror=");
    assertThat(browser.all(".row img")).isEmpty();
    browser.one("#filter").sendKeys(Keys.ESCAPE);
    browser.awaitText("#shown", "502");

    // by the keyboard alone: to the filter, to the first row, and into it
    browser.one("body").sendKeys("/");
    browser.driver.switchTo().activeElement().sendKeys("getrev");
    browser.awaitText("#shown", "1 of 502");
    browser.driver.switchTo().activeElement().sendKeys(Keys.ARROW_DOWN);
    browser.driver.switchTo().activeElement().sendKeys(Keys.ENTER);
    browser.awaitText("#story h2", "GetReviews");
    browser.awaitText("#story pre", "circuit");
    browser.awaitText("#story table", "circuitBreaker.sleepWindowInMilliseconds");
    browser.awaitText("#story", "circuit CLOSED -> OPEN");
    down.set(false);
    tenrec.closeCircuit("GetReviews", "the test says so");
    browser.awaitText("#story p", "circuit closed");
    browser.awaitText("#story", "closed by hand: the test says so");
    for (int i = 0; i < 300; i++) {
      getReviews.attempt(i);
    }
    browser.awaitText("#story", "coreSize, or permits");
    browser.driver.navigate().refresh(); // the address names the command
    browser.awaitText("#story h2", "GetReviews");
    browser.one("body").sendKeys(Keys.ESCAPE);
    browser.awaitText(".row", "GetReviews");

    browser.size(500, 800);
    assertThat(browser.script("return document.documentElement.scrollWidth <= innerWidth"))
        .as("fits a narrow screen")
        .isEqualTo(true);
    browser.dark(true);
    assertThat(browser.script("return getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(20, 23, 26)");
    assertThat(browser.driver.getTitle()).isEqualTo("Tenrec");
    browser.hasNothingToComplainOf();
  }

  @Test
  void server_thatGoesAndComesBack_isSaidAndFoundAgain() throws Exception {
    command("GetReviews");
    int port = console.address().getPort();
    browser.driver.get(console.uri().toString());
    browser.awaitText(".row", "GetReviews");
    console.close();
    browser.awaitText("#link", "connection lost");
    console = Console.start(tenrec, port);
    browser.awaitText("#link", "live");
    browser.awaitText(".row", "GetReviews");
  }
}
