// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * What ended in each second of a load. Calls may end on any thread; one thread, the driving one,
 * looks. A call that ends while it looks is in one of the two seconds.
 */
final class Seconds {

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Recorder sinceIntended;
  private final Recorder sinceSent;
  private final LongAdder lost = new LongAdder();

  /** This and what follows: used by the driving thread only. */
  private final List<Second> ended = new ArrayList<>();

  private @Nullable Histogram intended;
  private @Nullable Histogram sent;
  private long beganNanos;
  private long endNanos = SECOND_NANOS;

  /**
   * Nothing yet.
   *
   * @param mostMicros the end of the scale
   */
  Seconds(long mostMicros, int digits) {
    sinceIntended = new Recorder(mostMicros, digits);
    sinceSent = new Recorder(mostMicros, digits);
  }

  void answered(long sinceIntendedMicros, long sinceSentMicros) {
    sinceIntended.recordValue(sinceIntendedMicros);
    sinceSent.recordValue(sinceSentMicros);
  }

  void lost() {
    lost.increment();
  }

  /** Ends the second if its time is over. */
  void look(long nowNanos) {
    if (nowNanos >= endNanos) {
      end(nowNanos);
    }
  }

  /** All there were, the one that has not ended included. */
  List<Second> until(long nowNanos) {
    end(nowNanos);
    return List.copyOf(ended);
  }

  private void end(long nowNanos) {
    Histogram due = sinceIntended.getIntervalHistogram(intended);
    Histogram begun = sinceSent.getIntervalHistogram(sent);
    intended = due;
    sent = begun;
    ended.add(
        new Second(
            beganNanos / 1e9,
            nowNanos / 1e9,
            due.getTotalCount(),
            lost.sumThenReset(),
            spread(due),
            spread(begun)));
    beganNanos = nowNanos;
    endNanos = (nowNanos / SECOND_NANOS + 1) * SECOND_NANOS;
  }

  private static Second.@Nullable Spread spread(Histogram micros) {
    if (micros.getTotalCount() == 0) {
      return null;
    }
    return new Second.Spread(
        micros.getValueAtPercentile(50) / 1e3,
        micros.getValueAtPercentile(90) / 1e3,
        micros.getValueAtPercentile(99) / 1e3,
        micros.getMaxValue() / 1e3);
  }
}
