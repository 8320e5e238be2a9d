// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import java.time.Duration;

/**
 * What is set for all contenders alike.
 *
 * @param maxConcurrent calls in flight; or threads of a pool
 * @param queue calls that may wait for a thread of a pool
 * @param volume calls of the window from which the breaker looks at them
 * @param errorPercentage failed ones of a hundred that open it
 * @param sleepWindow how long it stays open
 * @param timeout the deadline of every call, for contenders that have one
 * @param stackTraces whether refusals have a stack trace, for contenders that leave the choice
 */
public record Rules(
    int maxConcurrent,
    int queue,
    int volume,
    int errorPercentage,
    Duration sleepWindow,
    Duration timeout,
    boolean stackTraces) {

  /** The window of every breaker. */
  public static final Duration WINDOW = Duration.ofSeconds(10);

  /**
   * The usual deadline: a second, unless {@code tenrec.benchmarks.timeoutMillis} says another one.
   * Tests have a longer one: no call of theirs may end by a thread that waits for the processor.
   */
  public static final Duration TIMEOUT =
      Duration.ofMillis(Long.getLong("tenrec.benchmarks.timeoutMillis", 1_000));

  /** Every caller of any benchmark finds a permit (there are up to 16), and no circuit opens. */
  public static Rules usual() {
    return new Rules(32, 0, 20, 50, Duration.ofSeconds(5), TIMEOUT, false);
  }

  /** A pool of 10 threads; what finds none waits in a queue, so that nobody is refused. */
  public static Rules pool(int queue) {
    return new Rules(10, queue, 20, 50, Duration.ofSeconds(5), TIMEOUT, false);
  }

  /** However many calls fail or are refused, the circuit stays closed. */
  public Rules neverOpen() {
    return new Rules(
        maxConcurrent,
        queue,
        Integer.MAX_VALUE,
        errorPercentage,
        sleepWindow,
        timeout,
        stackTraces);
  }

  /** The first failure opens the circuit, for longer than any benchmark runs. */
  public Rules openAtOnce() {
    return new Rules(maxConcurrent, queue, 1, 1, Duration.ofHours(1), timeout, stackTraces);
  }

  /** So many calls in flight. */
  public Rules limit(int calls) {
    return new Rules(calls, queue, volume, errorPercentage, sleepWindow, timeout, stackTraces);
  }

  /** With what the library's users get unless they ask for less. */
  public Rules withStackTraces() {
    return new Rules(maxConcurrent, queue, volume, errorPercentage, sleepWindow, timeout, true);
  }

  /** With another deadline. */
  public Rules withTimeout(Duration deadline) {
    return new Rules(
        maxConcurrent, queue, volume, errorPercentage, sleepWindow, deadline, stackTraces);
  }
}
