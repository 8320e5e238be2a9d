// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Flowable;
import java.time.Duration;

/**
 * The metrics of one command as streams. Each emits a value at once when it is subscribed to, and
 * then one every interval; it completes when the command is removed or its Tenrec begins to close,
 * and never fails.
 *
 * <p><b>Shared.</b> All subscribers of one stream and interval live by one reading, which their
 * first one starts and their last one ends. While there is no subscriber, nothing runs, and nothing
 * is kept.
 *
 * <p><b>Bounded.</b> Of a subscriber that is busy, or has not asked for more, only the latest value
 * is kept: it misses those in between. Values are never older than the one before.
 *
 * <p><b>Threads.</b> Callback threads of the Tenrec read values and pass them to subscribers. All
 * streams have one share of these threads. A subscriber that blocks or throws holds up no other,
 * but keeps a thread of that share while it blocks. A value that had to wait for being asked for
 * comes on the thread that asks, as RxJava does. When too many wait for a thread, the value is left
 * out, and the next one comes an interval later; the end comes in any case.
 */
public final class MetricStreams {

  /** From one value to the next, unless said otherwise: half a second. */
  public static final Duration DEFAULT_INTERVAL = Duration.ofMillis(500);

  /** No interval may be shorter: ten milliseconds. */
  public static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

  /** No interval may be longer: a day. */
  public static final Duration LONGEST_INTERVAL = Duration.ofDays(1);

  private enum What {
    HEALTH,
    COUNTS,
    LATENCIES
  }

  private final CommandRuntime runtime;
  private final CommandView view;

  MetricStreams(CommandRuntime runtime) {
    this.runtime = runtime;
    this.view = runtime.view();
  }

  /** As {@link #health(Duration)}, every {@link #DEFAULT_INTERVAL}. */
  public Flowable<HealthSnapshot> health() {
    return health(DEFAULT_INTERVAL);
  }

  /**
   * What the circuit breaker would see: see {@link CommandView#health()}.
   *
   * @param interval from {@link #SHORTEST_INTERVAL} to {@link #LONGEST_INTERVAL}
   * @throws IllegalArgumentException if it is not within these
   */
  public Flowable<HealthSnapshot> health(Duration interval) {
    return SampleFlowable.of(runtime.samplers(), What.HEALTH, interval, view::health);
  }

  /** As {@link #counts(Duration)}, every {@link #DEFAULT_INTERVAL}. */
  public Flowable<CountsSnapshot> counts() {
    return counts(DEFAULT_INTERVAL);
  }

  /**
   * How often each event happened: see {@link CommandView#counts()}.
   *
   * @param interval from {@link #SHORTEST_INTERVAL} to {@link #LONGEST_INTERVAL}
   * @throws IllegalArgumentException if it is not within these
   */
  public Flowable<CountsSnapshot> counts(Duration interval) {
    return SampleFlowable.of(runtime.samplers(), What.COUNTS, interval, view::counts);
  }

  /** As {@link #latencies(Duration)}, every {@link #DEFAULT_INTERVAL}. */
  public Flowable<LatencySnapshots> latencies() {
    return latencies(DEFAULT_INTERVAL);
  }

  /**
   * How long the work took, and how long callers waited: see {@link CommandView#latencies()}.
   *
   * @param interval from {@link #SHORTEST_INTERVAL} to {@link #LONGEST_INTERVAL}
   * @throws IllegalArgumentException if it is not within these
   */
  public Flowable<LatencySnapshots> latencies(Duration interval) {
    return SampleFlowable.of(runtime.samplers(), What.LATENCIES, interval, view::latencies);
  }
}
