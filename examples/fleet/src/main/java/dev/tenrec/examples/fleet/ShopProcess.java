// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.fleet;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A shop's process, and what it has printed. */
final class ShopProcess implements AutoCloseable {

  private final Process process;
  private final Thread reader;

  /** When it had applied a version, in milliseconds since 1970. */
  private final Map<Long, Long> applied = new ConcurrentHashMap<>();

  /** Written by the reader, read once that has ended: successes, fallbacks, short circuits. */
  private volatile List<Long> counted = List.of();

  ShopProcess(String servers, String id, String zone, Path directory, String prices)
      throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty("java.class.path"),
                Shop.class.getName(),
                servers,
                id,
                zone,
                directory.toString(),
                prices)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    reader = new Thread(this::read, "reader-of-" + id);
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("applied")) {
          applied.putIfAbsent(Long.valueOf(words[1]), Long.valueOf(words[2])); // an end applies too
        } else if (words[0].equals("counted")) {
          counted = List.of(Long.valueOf(words[1]), Long.valueOf(words[2]), Long.valueOf(words[3]));
        }
      }
    } catch (IOException gone) {
      System.err.println("a shop's output broke off: " + gone);
    }
  }

  /**
   * When it had applied a version, in milliseconds since 1970; 0 if that changed nothing for it.
   */
  long appliedMillis(long version) {
    return applied.getOrDefault(version, 0L);
  }

  /** Ends it, and returns what it counted. */
  List<Long> end() throws IOException, InterruptedException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    if (!process.waitFor(90, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    reader.join(90_000);
    return counted;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
