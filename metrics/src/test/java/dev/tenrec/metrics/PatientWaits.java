// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How the tests of every module wait; JUnit finds this as a service. They wait long enough on a
 * busy machine: Awaitility's own 10 s are sometimes too few there, and say nothing about Tenrec.
 * How long that is grows with how slow the machine is at the moment; it stays below the limit of
 * one test method, so that a wait in vain names what it waited for. And they look at once and
 * often: Awaitility's own 100 ms before each first look are most of what the suite would take.
 */
public final class PatientWaits implements Extension, BeforeAllCallback {

  private static final long IDLE_SECONDS = 90;

  /** Where a wait in vain is how a mutant is noticed, and one follows the other; null elsewhere. */
  private static final @Nullable Long FIXED_SECONDS = Long.getLong("tenrec.patience");

  /** What pom.xml sets to {@code test.methodTimeout}. */
  private static final String METHOD_LIMIT =
      "junit.jupiter.execution.timeout.testable.method.default";

  private static final Pattern LIMIT = Pattern.compile("(\\d+) ?([smh])");

  /** So a wait in vain ends within nine minutes. */
  private static final int MOST = 6;

  /** {@link #seconds()} are never more, however busy the machine is. */
  public static final long MOST_SECONDS = IDLE_SECONDS * MOST;

  /**
   * How long to wait for what has to come: 90 s where each thread that wants a processor has one,
   * and so many times that as there are such threads for each processor, by the load of the last
   * minute, at most six times. With {@code -Dtenrec.patience=<seconds>}, always as long as that.
   */
  public static Duration patience() {
    return Duration.ofSeconds(seconds());
  }

  /** {@link #patience()} in seconds. */
  public static long seconds() {
    if (FIXED_SECONDS != null) {
      return FIXED_SECONDS;
    }
    double wanting = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    double each = wanting / Runtime.getRuntime().availableProcessors();
    return Math.round(IDLE_SECONDS * Math.max(1, Math.min(each, MOST)));
  }

  /**
   * How long a test may wait for a process of its own, which takes minutes: nine tenths of what the
   * build allows a test method, so that what hangs has a name.
   */
  public static Duration ofAProcess() {
    return ofMethod(System.getProperty(METHOD_LIMIT, "15 m")).multipliedBy(9).dividedBy(10);
  }

  /** The limit of a method, as the build's files and commands write it. */
  static Duration ofMethod(String limit) {
    Matcher parts = LIMIT.matcher(limit);
    if (!parts.matches()) {
      throw new IllegalArgumentException("neither of seconds, minutes nor hours: " + limit);
    }
    return Duration.parse("PT" + parts.group(1) + parts.group(2));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(patience());
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval((looks, before) -> Duration.ofMillis(Math.min(looks, 20)));
  }
}
