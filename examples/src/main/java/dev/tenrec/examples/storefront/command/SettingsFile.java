// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The properties file that Tenrec watches and that the user may edit meanwhile. */
public final class SettingsFile {

  /** What the storefront itself changes halfway. */
  public static final String PRICE_TIMEOUT =
      "tenrec.command.GetPrice.execution.isolation.thread.timeoutInMilliseconds";

  private static final String NAME = "storefront.properties";

  private final Path path;

  private SettingsFile(Path path) {
    this.path = path;
  }

  /**
   * Writes the file with its first values, over one that may be there.
   *
   * @param directory where; it is made if it is not there
   * @param sleepWindow how long an open circuit waits
   * @param rollingWindow how far back a circuit looks
   */
  public static SettingsFile create(Path directory, Duration sleepWindow, Duration rollingWindow)
      throws IOException {
    Files.createDirectories(directory);
    SettingsFile file = new SettingsFile(directory.resolve(NAME));
    file.replace(content(sleepWindow.toMillis(), rollingWindow.toMillis()));
    return file;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Changes one value and leaves the other lines, and what somebody may have made of them. */
  public void set(String key, String value) throws IOException {
    String line = key + "=" + value;
    List<String> lines = new ArrayList<>(Files.readAllLines(path));
    boolean replaced = false;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(key)) {
        lines.set(i, line);
        replaced = true;
      }
    }
    if (!replaced) {
      lines.add(line);
    }
    replace(String.join("\n", lines) + "\n");
  }

  private static String content(long sleepMillis, long windowMillis) {
    return """
      # The storefront looks at this file once a second while it runs. Edit a value, save, and watch the table.
      # A value that breaks a rule is refused with a warning, and the one before stays.

      # How long a shopper waits for a price. The storefront itself lowers it to 200 halfway.
      tenrec.command.GetPrice.execution.isolation.thread.timeoutInMilliseconds=1000
      # How many prices may be asked for at once: with 3 many are rejected.
      tenrec.command.GetPrice.execution.isolation.semaphore.maxConcurrentRequests=6
      # How many threads ask for products: with 1 some are rejected.
      tenrec.threadpool.Catalog.coreSize=10
      # true refuses all calls for reviews, as if the circuit were open; the fallback answers.
      tenrec.command.GetReviews.circuitBreaker.forceOpen=false

      # How long an open circuit waits before it tries again.
      tenrec.command.default.circuitBreaker.sleepWindowInMilliseconds=%d
      # How far back a circuit looks.
      tenrec.command.default.metrics.rollingStats.timeInMilliseconds=%d
      # How far back the table's percentiles look.
      tenrec.command.default.metrics.rollingPercentile.timeInMilliseconds=3000
      tenrec.command.default.metrics.rollingPercentile.numBuckets=3
      """
        .formatted(sleepMillis, windowMillis);
  }

  /** Replaces the file at once: a reader finds either the old or the new content. */
  private void replace(String content) throws IOException {
    Path next = Files.writeString(path.resolveSibling(NAME + ".next"), content);
    Files.move(next, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
