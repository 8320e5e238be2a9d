// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

import dev.tenrec.annotations.boot.TenrecCustomizer;
import dev.tenrec.core.Tenrec;
import dev.tenrec.examples.bookshop.shop.ShopApplication;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs the shop for some seconds with visitors, changes a time-out in the watched file meanwhile,
 * stops, and prints what came of every call.
 */
public final class Bookshop {

  static final String PRICE_TIMEOUT =
      "tenrec.command.Prices.price.execution.isolation.thread.timeoutInMilliseconds";

  private static final Duration PART = Duration.ofMillis(2_500);
  private static final long FILE_PATIENCE_SECONDS = 120;

  private Bookshop() {}

  /** Runs it; the exit code is 0 if all adds up. */
  public static void main(String[] arguments) throws Exception {
    Account account = run(PART);
    Report.print(account, System.out);
    System.exit(account.holds() ? 0 : 1);
  }

  /**
   * Runs it, and stops all it has started.
   *
   * @param part how long visitors come before the change, and after it
   */
  static Account run(Duration part) throws Exception {
    return run(part, starting -> {});
  }

  /**
   * The same.
   *
   * @param looksIn gets the shop's context before it starts
   */
  static Account run(
      Duration part, ApplicationContextInitializer<ConfigurableApplicationContext> looksIn)
      throws Exception {
    Path directory = Files.createTempDirectory("bookshop");
    Path settings = directory.resolve("tenrec.properties");
    try (Publisher publisher = Publisher.open()) {
      write(settings, 1_000);
      return run(part, publisher, settings, looksIn);
    } finally {
      Files.deleteIfExists(settings);
      Files.deleteIfExists(directory);
    }
  }

  private static Account run(
      Duration part,
      Publisher publisher,
      Path settings,
      ApplicationContextInitializer<ConfigurableApplicationContext> looksIn)
      throws Exception {
    CountDownLatch changed = new CountDownLatch(1);
    TenrecCustomizer watching =
        builder ->
            builder.onSettingChange(
                change -> {
                  if (change.key().equals("Prices.price")) {
                    changed.countDown();
                  }
                });
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(ShopApplication.class)
            .initializers(
                starting -> starting.getBeanFactory().registerSingleton("settingsWatch", watching),
                looksIn)
            .properties(
                Map.of(
                    "bookshop.publisher", publisher.uri().toString(),
                    "tenrec.properties-file", settings.toString()))
            .run();
    try {
      int port = context.getEnvironment().getRequiredProperty("local.server.port", int.class);
      Visitors visitors = new Visitors(URI.create("http://127.0.0.1:" + port + "/"));
      visitors.first();
      visitors.start();
      waitFor(part);
      visitors.awaitSome("before");
      visitors.await(() -> visitors.seen("before").slowPrices() > 0);
      visitors.part("between");
      write(settings, 100);
      if (!changed.await(FILE_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("Tenrec has not seen the change of " + settings);
      }
      visitors.part("after");
      waitFor(part);
      visitors.awaitSome("after");
      visitors.await(() -> Account.changeShows(visitors.seen("before"), visitors.seen("after")));
      visitors.await( // two questions of one page have met in one request
          () -> publisher.asked().stockBooks() > publisher.asked().stockRequests());
      visitors.stop();
      Tenrec tenrec = context.getBean(Tenrec.class);
      // a thread that is held up counts after its caller has gone on
      visitors.await(() -> tenrec.pools().stream().allMatch(pool -> pool.active() == 0));
      Counts counts = Counts.of(tenrec);
      context.close();
      return new Account(
          visitors.seen("before"),
          visitors.seen("between"),
          visitors.seen("after"),
          counts,
          publisher.asked(),
          LeakCheck.of(tenrec, port));
    } finally {
      context.close();
    }
  }

  /** Replaces the file at once: a reader finds either the old or the new content. */
  private static void write(Path settings, int timeoutMillis) throws IOException {
    Path next = settings.resolveSibling("next.properties");
    Files.writeString(next, PRICE_TIMEOUT + "=" + timeoutMillis + "\n");
    Files.move(next, settings, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void waitFor(Duration duration) {
    Ticker ticker = Ticker.system();
    long until = ticker.nanoTime() + duration.toNanos();
    while (ticker.nanoTime() < until && !Thread.currentThread().isInterrupted()) {
      Waiter.system().awaitUntil(until);
    }
  }
}
