// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Configuration A becomes what {@code Sizing} says, without a restart and under load: in memory,
 * back again, and by the watched file. Used once.
 */
final class LiveChange {

  private static final Configuration GUARDED = Configuration.A;
  private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();
  private static final long GLANCE_NANOS = Duration.ofMillis(10).toNanos();
  private static final long KNOWN_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int MOST_SECONDS = 120;

  private final Bench bench;
  private final Path file;
  private final Sizing sizing;
  private final Map<String, String> settings;
  private final Duration phase;
  private final Stop load = Stop.onDemand();
  private final Stop stop;
  private final RunClock clock = new RunClock();
  private final List<LivePhase> phases = new ArrayList<>();

  /** Threads that were seen at work at once, in the present phase or the one before. */
  private long mostActive;

  /**
   * One that has not begun.
   *
   * @param file which the application watches; there is none yet
   * @param stop ends it early
   */
  LiveChange(Bench bench, Path file, Sizing sizing, Duration phase, Stop stop) {
    this.bench = bench;
    this.file = file;
    this.sizing = sizing;
    this.settings = Settings.whileRunning(sizing, GUARDED);
    this.phase = phase;
    this.stop = stop;
  }

  /**
   * What it came to.
   *
   * @param run as a whole
   * @param phases one after the other
   * @param slices answers in each 100 ms
   */
  record Seen(Run run, List<LivePhase> phases, List<Long> slices) {}

  /** Runs it. */
  Seen run(int users) throws Exception {
    try (Watched target = bench.target(GUARDED)) {
      Run run = bench.run(GUARDED, target, () -> underLoad(users, target));
      return new Seen(run, List.copyOf(phases), target.slices());
    }
  }

  private Result underLoad(int users, Watched target) throws Exception {
    ExecutorService driving = Executors.newSingleThreadExecutor();
    try {
      Future<Result> result =
          driving.submit(
              () ->
                  bench.drive(
                      target,
                      new Arrivals.Closed(users),
                      Form.MOST_REQUESTS,
                      Duration.ofSeconds(MOST_SECONDS),
                      Progress.none(),
                      load));
      try {
        change(target);
      } finally {
        load.ask();
      }
      return result.get(MOST_SECONDS, TimeUnit.SECONDS);
    } finally {
      driving.shutdownNow();
    }
  }

  private void change(Watched target) throws IOException, InterruptedException {
    Size guessed = Size.of(bench.pool(GUARDED));
    Size sized = new Size(sizing.coreSize(), sizing.maximumSize());
    watch(target, "A: first guess", "annotation", null);
    Effect set = effect(target, guessed, sized, () -> bench.set(settings));
    watch(target, "Sizing", "memory", set);
    Effect cleared = effect(target, sized, guessed, () -> bench.clear(settings));
    watch(target, "A: first guess", "annotation, memory cleared", cleared);
    Effect written = effect(target, guessed, sized, this::write);
    watch(target, "Sizing", "watched file", written);
  }

  /** Of a pool. */
  private record Size(long core, long maximum) {

    static Size of(Map<String, Long> pool) {
      return new Size(pool.getOrDefault("coreSize", 0L), pool.getOrDefault("maximumSize", 0L));
    }
  }

  private interface Change {
    void make() throws IOException, InterruptedException;
  }

  private record Effect(double knownMillis, double feltMillis) {}

  /** Makes a change, waits until it is known, and for a phase at most until it is felt. */
  private Effect effect(Watched target, Size before, Size after, Change change)
      throws IOException, InterruptedException {
    if (stop.asked()) {
      return new Effect(Double.NaN, Double.NaN);
    }
    Watched.Phase unused = target.next();
    long beganNanos = clock.nanos();
    change.make();
    double known = Double.NaN;
    double felt = Double.NaN;
    long lastNanos = beganNanos + KNOWN_NANOS;
    while (Double.isNaN(felt) && clock.nanos() < lastNanos && !stop.asked()) {
      Map<String, Long> pool = bench.pool(GUARDED);
      double millis = (clock.nanos() - beganNanos) / 1e6;
      if (Double.isNaN(known) && Size.of(pool).equals(after)) {
        known = millis;
        lastNanos = clock.nanos() + phase.toNanos();
      }
      long active = pool.getOrDefault("active", 0L);
      boolean accordingly =
          after.core > before.core
              ? active > Math.max(before.core, mostActive)
              : active <= after.core;
      if (!Double.isNaN(known) && accordingly) {
        felt = millis;
      }
      clock.awaitNanos(clock.nanos() + LOOK_NANOS);
    }
    return new Effect(known, felt);
  }

  /** As a whole: who reads it meanwhile finds nothing or all of it. */
  private void write() throws IOException {
    Path next = file.resolveSibling("next.properties");
    Files.writeString(next, Settings.text(settings));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private void watch(Watched target, String title, String source, @Nullable Effect effect)
      throws IOException, InterruptedException {
    if (stop.asked()) {
      return;
    }
    Watched.Phase seen = target.next();
    mostActive = 0;
    long untilNanos = clock.nanos() + phase.toNanos();
    while (clock.nanos() < untilNanos && !stop.asked()) {
      mostActive = Math.max(mostActive, pool("active"));
      clock.awaitNanos(Math.min(untilNanos, clock.nanos() + GLANCE_NANOS));
    }
    phases.add(
        new LivePhase(
            title,
            source,
            effect == null ? Double.NaN : effect.knownMillis(),
            effect == null ? Double.NaN : effect.feltMillis(),
            pool("coreSize"),
            mostActive,
            seen.pace()));
  }

  private long pool(String figure) throws IOException, InterruptedException {
    return bench.pool(GUARDED).getOrDefault(figure, 0L);
  }
}
