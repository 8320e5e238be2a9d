// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.health;

/**
 * The executions of the rolling window that say something about the dependency's health. Successes,
 * failures, time-outs and rejections count; short-circuited calls, rate-limited calls, calls beyond
 * an outer deadline, bad requests, cancellations and cache hits do not, nor does a result that
 * began before the breaker's last transition.
 *
 * @param total how many ended
 * @param errors how many of them failed, timed out or were rejected
 * @param slow how many of them succeeded, but took longer than {@code
 *     circuitBreaker.slowCallDurationInMilliseconds}
 * @param rejected how many of the errors were rejections, which say that a limit was met and
 *     nothing of the dependency
 */
public record HealthSnapshot(long total, long errors, long slow, long rejected) {

  /** Nothing has ended yet. */
  public static final HealthSnapshot EMPTY = new HealthSnapshot(0, 0, 0);

  /** One without rejections. */
  public HealthSnapshot(long total, long errors, long slow) {
    this(total, errors, slow, 0);
  }

  /**
   * The share of errors in whole per cent, rounded down (66.67 is 66, as in Hystrix); 0 without any
   * call.
   */
  public int errorPercentage() {
    return percentage(errors);
  }

  /**
   * The share of errors and slow calls together, in whole per cent, rounded down: what the breaker
   * compares.
   */
  public int troublePercentage() {
    return percentage(errors + slow);
  }

  private int percentage(long part) {
    return total == 0 ? 0 : (int) (part * 100 / total);
  }
}
