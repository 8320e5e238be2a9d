// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The page with many commands that are all called, as it scrolls: {@code -Pexternal}. Prints what
 * it measures, and with {@code -Dtenrec.screenshots=DIRECTORY} makes the pictures of the docs.
 */
@Tag("external")
class LoadedPageTest {

  private static final int MANY = 1_000;
  private static final int OPENINGS = 20;

  private final Tenrec tenrec = Tenrec.create();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicBoolean down = new AtomicBoolean();
  private final List<Thread> callers = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    ended.set(true);
    for (Thread caller : callers) {
      caller.interrupt();
      caller.join();
    }
    tenrec.close();
  }

  private Command<Integer, Integer> command(String key, String group, Isolation isolation) {
    return tenrec
        .command(
            key,
            (Integer millis) -> {
              if (down.get() && key.startsWith("GetReviews")) {
                throw new IllegalStateException("down");
              }
              Thread.sleep(millis);
              return millis;
            })
        .group(group)
        .isolation(isolation)
        .errorThreshold(50, 10)
        .timeout(Duration.ofMillis(400))
        .sleepWindow(Duration.ofSeconds(20))
        .fallbackValue(0)
        .build();
  }

  /** Calls one after the other, each some time after the last. */
  private void call(List<Command<Integer, Integer>> commands, int millis, long pauseMillis) {
    Thread caller =
        new Thread(
            () -> {
              Random random = new Random(commands.size());
              for (int i = 0; !ended.get(); i++) {
                int tail = random.nextInt(50) == 0 ? 12 * millis : 0;
                commands
                    .get(i % commands.size())
                    .attempt(millis == 0 ? 0 : millis / 2 + random.nextInt(millis) + tail);
                if (pauseMillis > 0 || i % 1_000 == 999) {
                  pause(Math.max(pauseMillis, 100));
                }
              }
            },
            "caller");
    callers.add(caller);
    caller.start();
  }

  /** All of them all the time. */
  private void callMany() {
    List<Command<Integer, Integer>> commands = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      commands.add(command("Service" + i, "Group" + i % 40, Isolation.semaphore(10)));
    }
    call(commands, 0, 0);
  }

  private static void showMany(Browser browser, Console console) {
    browser.size(1280, 800);
    browser.driver.get(console.uri().toString());
    browser.awaitText("#summary", "1,000 commands");
  }

  private void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      ended.set(true);
    }
  }

  @Test
  void page_ofAThousandCommands_scrollsSmoothlyWhileAllOfThemChange() throws Exception {
    try (Browser browser = Browser.open();
        Console console = Console.start(tenrec, 0)) {
      callMany();
      AtomicLong bytes = new AtomicLong();
      AtomicLong rows = new AtomicLong();
      try (Watched stream = Watched.of(console)) {
        stream.until(() -> stream.rows.size() == MANY);
        long from = stream.last.get("n").asLong();
        stream.until(
            () -> {
              bytes.addAndGet(stream.length);
              rows.addAndGet(stream.last.path("commands").path("rows").size());
              return stream.last.get("n").asLong() - from >= 5_000;
            });
        long millis = stream.last.get("n").asLong() - from;
        System.out.printf(
            "stream of %d commands: %d kB/s, %d rows/s%n",
            MANY, bytes.get() / millis, rows.get() * 1_000 / millis);
        assertThat(bytes.get() / millis).as("kB a second").isLessThan(1_000);
      }
      showMany(browser, console);
      browser.countMainThread();
      double busy = browser.mainThreadSeconds();
      double frames = frames(browser, 37);
      double millis = (browser.mainThreadSeconds() - busy) * 1_000 / (frames * 5);
      double still = frames(browser, 0);
      System.out.printf(
          "page of %d commands: %.1f frames a second scrolling, %.1f while it only updates; "
              + "%.1f ms of the page's thread a frame%n",
          MANY, frames, still, millis);
      assertThat(frames).isGreaterThan(30);
      browser.hasNothingToComplainOf();
    }
  }

  /** By the wall clock, which page and library have in common here. */
  @Test
  void circuit_thatOpensAmongAThousand_isOnThePageWithinASecond() throws Exception {
    try (Browser browser = Browser.open();
        Console console = Console.start(tenrec, 0)) {
      callMany();
      showMany(browser, console);
      browser.driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(60));
      List<Long> millis = new ArrayList<>();
      for (int i = 1; i <= OPENINGS; i++) {
        String key = "GetReviews" + i;
        Command<Integer, Integer> broken = command(key, "Reviews", Isolation.semaphore(10));
        down.set(true);
        Thread opening =
            new Thread(
                () -> {
                  while (broken.view().circuitState() == CircuitState.CLOSED && !ended.get()) {
                    broken.attempt(0);
                    pause(10);
                  }
                },
                "opening");
        callers.add(opening);
        opening.start();
        // the row of what is open comes first, with its state and its reason
        long shown =
            ((Number)
                    browser.driver.executeAsyncScript(
                        """
                        const key = arguments[0], done = arguments[1];
                        const frame = () => {
                          const row = [...document.querySelectorAll('.row')].find(
                            each => each.innerText.split(/\\s+/).includes(key));
                          if (row && row.innerText.includes('OPEN') && row.innerText.includes('calls failed')) done(Date.now());
                          else requestAnimationFrame(frame);
                        };
                        requestAnimationFrame(frame);
                        """,
                        key))
                .longValue();
        opening.join();
        millis.add(shown - broken.transitions().get(0).at().toEpochMilli());
        down.set(false);
        assertThat(tenrec.closeCircuit(key, "seen")).isTrue();
      }
      Collections.sort(millis);
      System.out.printf(
          "circuits that open among %d commands: on the page after %d ms in the median, %d ms at"
              + " most, of %d%n",
          MANY, millis.get(OPENINGS / 2), millis.get(OPENINGS - 1), OPENINGS);
      assertThat(millis.get(OPENINGS - 1)).isLessThanOrEqualTo(1_000);
    }
  }

  /** Over five seconds, with so many pixels scrolled in each frame. */
  private static double frames(Browser browser, int pixels) {
    browser.driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(30));
    Object frames =
        browser.driver.executeAsyncScript(
            """
            const pixels = arguments[0], done = arguments[1], view = document.querySelector('.view');
            let frames = 0, from = performance.now();
            const frame = now => {
              frames++;
              view.scrollTop = (view.scrollTop + pixels) % (view.scrollHeight - view.clientHeight);
              if (now - from < 5000) requestAnimationFrame(frame); else done(frames / (now - from) * 1000);
            };
            requestAnimationFrame(frame);
            """,
            pixels);
    return ((Number) frames).doubleValue();
  }

  @Test
  void page_forTheDocs() throws Exception {
    for (int i = 0; i < 24; i++) {
      call(
          List.of(
              command(
                  "Get" + NAMES[i % NAMES.length] + (i < NAMES.length ? "" : "V2"),
                  "Shop",
                  Isolation.semaphore(10))),
          4 + 3 * i,
          60);
    }
    call(List.of(command("GetReviews", "Reviews", Isolation.threadPool().coreSize(4))), 30, 20);
    try (Browser browser = Browser.open();
        Console console = Console.start(tenrec, 0)) {
      browser.size(1280, 760);
      browser.driver.get(console.uri().toString());
      browser.awaitText(".row", "GetReviews");
      haveDrawn();
      down.set(true);
      browser.awaitText("#summary", "1 OPEN");
      browser.awaitText(".row", "calls failed");
      browser.screenshot("console");
      browser.one("#filter").sendKeys("getreviews");
      browser.awaitText("#shown", "1 of");
      browser.one(".row").click();
      browser.awaitText("#story h2", "GetReviews");
      down.set(false);
      tenrec.closeCircuit("GetReviews", "reviews is back");
      browser.dark(true); // charts are drawn anew with the next reading
      haveDrawn();
      browser.awaitText("#story", "coreSize, or permits");
      browser.size(1280, 1100);
      browser.screenshot("console-command");
      browser.hasNothingToComplainOf();
    }
  }

  /** Charts are worth a picture once they have some time in them. */
  private static void haveDrawn() {
    long from = System.nanoTime();
    Awaitility.await()
        .atMost(PatientWaits.patience())
        .until(() -> System.nanoTime() - from > 25_000_000_000L);
  }

  private static final String[] NAMES = {
    "Product",
    "Price",
    "Stock",
    "Basket",
    "Customer",
    "Address",
    "Delivery",
    "Voucher",
    "Payment",
    "Invoice",
    "Image",
    "Search",
    "Offer"
  };
}
