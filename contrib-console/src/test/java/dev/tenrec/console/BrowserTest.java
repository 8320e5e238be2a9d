// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.retry.Retry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
        .sleepWindow(Duration.ofMinutes(10))
        .fallbackValue(0)
        .build();
  }

  @Test
  void page_whileADependencyDiesAndRecovers_showsItAndRunsNoKeyAsMarkup() throws Exception {
    // what was called is known of it however long a browser takes
    tenrec.set("tenrec.command.default.metrics.rollingStats.timeInMilliseconds", "600000");
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
    browser.await("all of them", () -> browser.text("#shown").equals("502"));

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
    browser.one("body").sendKeys("/"); // to the filter, which is on another page
    browser.await(
        "filter with the focus",
        () -> "filter".equals(browser.script("return document.activeElement.id")));
    browser.driver.navigate().back();
    browser.awaitText("#story h2", "GetReviews");
    browser.one("body").sendKeys(Keys.ESCAPE);
    browser.awaitText(".row", "GetReviews");

    browser.fitsANarrowScreen();
    browser.dark(true);
    assertThat(browser.script("return getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(20, 23, 26)");
    assertThat(browser.driver.getTitle()).isEqualTo("Tenrec");
    browser.hasNothingToComplainOf();
  }

  @Test
  @Tag("external")
  void page_thatIsRefused_saysWhyAndComesInLater() throws Exception {
    command("GetReviews");
    try (Console small = Console.builder(tenrec).maxClients(1).start()) {
      try (Watched only = Watched.of(small)) {
        only.next();
        browser.driver.get(small.uri().toString());
        browser.awaitText("#link", "as many pages are open as may be");
      }
      browser.awaitText("#link", "live");
      browser.awaitText(".row", "GetReviews");
    }
  }

  /** The port may be another process' for a moment. */
  private static Console startAgain(Console.Builder builder) {
    AtomicReference<Console> started = new AtomicReference<>();
    browser.await(
        "the port",
        () -> {
          try {
            started.set(builder.start());
            return true;
          } catch (IOException taken) {
            return false;
          }
        });
    return started.get();
  }

  @Test
  @Tag("external")
  void page_whoseLoginIsOver_saysSo() throws Exception {
    command("GetReviews");
    Console.Builder guarded = Console.builder(tenrec).token("a-token-of-many-letters");
    int port;
    try (Console first = guarded.start()) {
      port = first.address().getPort();
      browser.driver.get(first.uri() + "?token=a-token-of-many-letters");
      browser.awaitText("#link", "live");
      assertThat(browser.driver.getCurrentUrl()).doesNotContain("token");
    }
    try (Console second = startAgain(guarded.port(port))) {
      browser.awaitText("#link", "not allowed (any more)");
      browser.driver.get(second.uri() + "?token=a-token-of-many-letters");
      browser.awaitText("#link", "live");
    }
  }

  @Test
  @Tag("external")
  void story_thatCannotBeRead_saysSo() throws Exception {
    command("GetReviews");
    browser.driver.get(console.uri().toString());
    browser.awaitText(".row", "GetReviews");
    browser.one(".row").click();
    browser.awaitText("#story", "circuitBreaker.sleepWindowInMilliseconds");
    console.close();
    browser.awaitText("#story", "could not be read, trying again: the server cannot be reached");
  }

  /** Readings may be far apart: what is a pause in a chart depends on how far. */
  @Test
  @Tag("external")
  void charts_ofReadingsFarApart_haveLinesAndOfAPauseHaveNone() throws Exception {
    browser.driver.get(console.uri().toString());
    browser.awaitText("#link", "live");
    for (int every : new int[] {500, 10_000}) {
      assertThat(joined(every, Math.max(1_000, every))).as("every " + every).isEqualTo("-1,0,1");
      assertThat(joined(every, 4 * Math.max(2_000, every))).as("pauses").isEqualTo("-1,-1,-1");
    }
  }

  /** Which column each of three, so far apart, is joined with. */
  private static Object joined(int every, int apart) {
    return browser.driver.executeAsyncScript(
        """
        const [every, apart, done] = arguments;
        import(new URL('model.js', location.href)).then(({Model}) => {
          const model = new Model(), joined = [];
          for (let i = 0; i < 3; i++) {
            model.apply({whole: i === 0, every, events: [], states: [], t: 1e12 + i * apart, n: i * apart});
          }
          model.eachColumn((t, at, before) => joined.push(before));
          done(joined.join());
        }, done);
        """,
        every,
        apart);
  }

  @Test
  @Tag("external")
  void callsBeyondTheirDeadline_always_areAmongTheErrors() throws Exception {
    Command<Integer, Integer> late =
        tenrec
            .command("Late", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .withDeadline()
            .build();
    browser.driver.get(console.uri().toString());
    browser.awaitText(".row", "Late");
    browser.one("#only option[value=trouble]").click();
    browser.awaitText("#shown", "0 of 1");
    browser.await(
        "a rate of errors",
        () -> {
          try (Scope over = Deadline.after(tenrec, Duration.ZERO).open()) { // of this thread
            assertThat(late.attempt(1).isSuccess()).isFalse();
          }
          return browser.text(".row").contains("Late");
        });
    browser.all(".row").get(0).click();
    browser.awaitText(
        "#story", "call not begun: the deadline of the call it was made in has passed");
  }

  @Test
  @Tag("external")
  void budgets_thatAreShared_haveAListOfTheirOwn_andFollowTheirSettings() throws Exception {
    var unused =
        tenrec
            .command("GetStock", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .retry(Retry.attempts(2).budget(0, 1).sharedBudget("Warehouse"))
            .build();
    browser.driver.get(console.uri() + "#/budgets");
    browser.awaitText("#tabs a[aria-current]", "Retry budgets");
    browser.awaitText(".row", "Warehouse");
    browser.awaitText(".row", "0 / 10");

    tenrec.set("tenrec.retrybudget.Warehouse.perSecond", "2");
    browser.awaitText(".row", "0 / 20");
    assertThat(tenrec.remove("GetStock")).isTrue();
    browser.awaitText("#shown", "0");
    browser.hasNothingToComplainOf();
  }

  @Test
  @Tag("external")
  void server_thatGoesAndComesBack_isSaidAndFoundAgain() throws Exception {
    command("GetReviews");
    int port = console.address().getPort();
    browser.driver.get(console.uri().toString());
    browser.awaitText(".row", "GetReviews");
    console.close();
    browser.awaitText("#link", "connection lost");
    console = startAgain(Console.builder(tenrec).port(port));
    browser.awaitText("#link", "live");
    browser.awaitText(".row", "GetReviews");
  }
}
