// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.sampling.SampleListener;
import dev.tenrec.core.internal.sampling.Samplers;
import io.reactivex.rxjava3.core.BackpressureStrategy;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.FlowableEmitter;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/** The Rx door to what a {@code SampleSubscriber} delivers. */
final class SampleFlowable {

  private SampleFlowable() {}

  /** Each subscription listens; of what was not asked for, the latest is kept. */
  static <T> Flowable<T> of(
      Samplers samplers, Object what, Duration interval, Supplier<? extends T> reading) {
    long intervalNanos = checked(interval).toNanos();
    return Flowable.create(
        emitter -> {
          Listening<T> listening = new Listening<>(emitter);
          Runnable leave = samplers.listen(what, intervalNanos, reading, listening);
          emitter.setCancellable(leave::run); // at once, if it has been cancelled meanwhile
        },
        BackpressureStrategy.LATEST);
  }

  private static Duration checked(Duration interval) {
    Objects.requireNonNull(interval, "interval");
    if (interval.compareTo(MetricStreams.SHORTEST_INTERVAL) < 0
        || interval.compareTo(MetricStreams.LONGEST_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "interval of a metric stream: "
              + interval
              + ", expected from "
              + MetricStreams.SHORTEST_INTERVAL
              + " to "
              + MetricStreams.LONGEST_INTERVAL);
    }
    return interval;
  }

  record Listening<T>(FlowableEmitter<T> emitter) implements SampleListener<T> {

    @Override
    public void sampled(T value) {
      emitter.onNext(value);
    }

    @Override
    public void ended() {
      emitter.onComplete();
    }
  }
}
