// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.Words;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.http.LoopbackAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the driver was told.
 *
 * @param plan the load
 * @param address what is called
 * @param timeout how long a call may take
 * @param directory where results are written
 */
record Arguments(Plan plan, LoopbackAddress address, Duration timeout, Path directory) {

  static final String USAGE =
      """
      The load driver: calls an address of this machine, and tells how long the answers took.
        --url U        what is called, http://127.0.0.1:8080/path
        --rate N       an open load: N calls a second by schedule, 1 to 50000; or
        --users N      a closed load: N users, each calling again when answered, 1 to 20000
        --engine E     thread (per call), pool, async, virtual (JDK 21 or later); default async
        --threads N    of the pool and of asynchronous I/O, 1 to 1000 (default 20)
        --requests N   at most so many, 1 to 10000000 (default 50000)
        --seconds N    at most so long, 1 to 3600 (default 60)
        --timeout N    seconds a call may take, 1 to 60 (default 10)
        --directory D  where results are written (default benchmarks/field/target, or target from within benchmarks/field)
      Ctrl-C ends it with the results so far.
      """;

  static Arguments read(List<String> arguments) {
    @Nullable LoopbackAddress address = null;
    @Nullable Arrivals arrivals = null;
    Engines engine = Engines.ASYNC;
    int threads = 20;
    int requests = 50_000;
    int seconds = 60;
    int timeout = 10;
    Path directory = Words.defaultDirectory();
    Words words = new Words(arguments);
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "--url" -> address = LoopbackAddress.of(words.value(word));
        case "--rate" -> {
          requireNone(arrivals);
          arrivals = new Arrivals.Open(words.number(word, 1, 50_000));
        }
        case "--users" -> {
          requireNone(arrivals);
          arrivals = new Arrivals.Closed(words.number(word, 1, 20_000));
        }
        case "--engine" -> engine = words.oneOf(word, Engines.class);
        case "--threads" -> threads = words.number(word, 1, 1_000);
        case "--requests" -> requests = words.number(word, 1, Plan.MOST_REQUESTS);
        case "--seconds" -> seconds = words.number(word, 1, Plan.MOST_SECONDS);
        case "--timeout" -> timeout = words.number(word, 1, 60);
        case "--directory" -> directory = Path.of(words.value(word));
        default -> throw new IllegalArgumentException("unknown argument " + word);
      }
    }
    if (address == null) {
      throw new IllegalArgumentException("--url is missing");
    }
    if (arrivals == null) {
      throw new IllegalArgumentException("expected --rate (open load) or --users (closed load)");
    }
    Duration patience = Duration.ofSeconds(timeout);
    Plan plan =
        new Plan(engine, threads, arrivals, requests, Duration.ofSeconds(seconds), patience);
    return new Arguments(plan, address, patience, directory);
  }

  private static void requireNone(@Nullable Arrivals arrivals) {
    if (arrivals != null) {
      throw new IllegalArgumentException("expected --rate or --users, once, not both");
    }
  }
}
