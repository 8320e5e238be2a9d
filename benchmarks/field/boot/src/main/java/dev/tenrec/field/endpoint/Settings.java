// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Result;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a run says of the endpoint's size, and how the application gets it. */
final class Settings {

  private static final BigDecimal TOLERATED = new BigDecimal("0.10");

  /** A time-out at p99.5 is reached by one call in two hundred. */
  private static final BigDecimal HEALTHY = new BigDecimal("0.005");

  /** Of a window in which the circuit opens by chance. */
  private static final BigDecimal CHANCE = new BigDecimal("0.001");

  /** Of an outage that is noticed to be over too late. */
  private static final BigDecimal LATE = new BigDecimal("0.05");

  private static final Duration OUTAGE = Duration.ofSeconds(5);

  /** Or an outage is as long as so many calls that time out, one after the other. */
  private static final int TIMEOUTS = 40;

  private Settings() {}

  /**
   * By the rules.
   *
   * @param healthy a run with arrivals by schedule, of the unguarded endpoint in good health
   */
  static Sizing sizing(Result healthy) {
    if (healthy.counts().answered() == 0) {
      throw new IllegalStateException(
          "the run with arrivals by schedule has no answer, so there is nothing to size by: "
              + healthy.counts());
    }
    return Sizing.of(
        perSecond(healthy),
        percentile(healthy.sinceIntended(), 99),
        percentile(healthy.sinceIntended(), 99.5),
        TOLERATED);
  }

  /** Of how many calls its circuit judges. */
  static int volume(Sizing sizing) {
    return sizing.volumeThreshold(HEALTHY, CHANCE);
  }

  /** For how long its circuit lets nothing through. */
  static Duration sleep(Sizing sizing) {
    Duration many = sizing.timeout().multipliedBy(TIMEOUTS);
    return sizing.sleepWindow(many.compareTo(OUTAGE) > 0 ? many : OUTAGE, LATE);
  }

  static BigDecimal perSecond(Result run) {
    return BigDecimal.valueOf(run.perSecond()).setScale(1, RoundingMode.UP);
  }

  private static Duration percentile(Latency latency, double percentile) {
    long micros = latency.micros().getValueAtPercentile(percentile);
    return Duration.ofNanos(Math.max(1, micros) * 1_000);
  }

  /** As arguments at an application's start: for the placeholders of its annotations. */
  static List<String> atStart(Sizing sizing) {
    return List.of(
        "--sized.coreSize=" + sizing.coreSize(),
        "--sized.maximumSize=" + sizing.maximumSize(),
        "--sized.queueSize=" + sizing.queueSize(),
        "--sized.timeoutMillis=" + sizing.timeout().toMillis(),
        "--sized.errorThresholdPercentage=" + sizing.errorThresholdPercentage(),
        "--sized.volumeThreshold=" + volume(sizing),
        "--sized.sleepMillis=" + sleep(sizing).toMillis(),
        "--sized.fallbackPermits=" + sizing.fallbackPermits());
  }

  /** As settings changed while it runs. */
  static Map<String, String> whileRunning(Sizing sizing, Configuration configuration) {
    String pool = "tenrec.threadpool." + configuration.group() + ".";
    String command = "tenrec.command." + configuration.group() + ".answer.";
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(pool + "maximumSize", text(sizing.maximumSize()));
    settings.put(pool + "coreSize", text(sizing.coreSize()));
    settings.put(pool + "maxQueueSize", text(sizing.queueSize()));
    settings.put(pool + "queueSizeRejectionThreshold", text(sizing.queueSize()));
    settings.put(
        command + "execution.isolation.thread.timeoutInMilliseconds",
        text(sizing.timeout().toMillis()));
    settings.put(command + "execution.timeout.enabled", "true");
    settings.put(
        command + "circuitBreaker.errorThresholdPercentage",
        text(sizing.errorThresholdPercentage()));
    settings.put(command + "circuitBreaker.requestVolumeThreshold", text(volume(sizing)));
    settings.put(
        command + "circuitBreaker.sleepWindowInMilliseconds", text(sleep(sizing).toMillis()));
    settings.put(
        command + "fallback.isolation.semaphore.maxConcurrentRequests",
        text(sizing.fallbackPermits()));
    return settings;
  }

  /** As a file. */
  static String text(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
        .collect(Collectors.joining());
  }

  private static String text(long number) {
    return Long.toString(number);
  }
}
