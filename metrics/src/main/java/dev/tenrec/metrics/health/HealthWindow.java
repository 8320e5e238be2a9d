package dev.tenrec.metrics.health;

import dev.tenrec.metrics.rolling.History;
import org.jspecify.annotations.Nullable;

/**
 * The rolling window as the breaker sees it: it begins with the rolling window, or with the last restart if that is later.
 *
 * <p>Not thread-safe: its owner's lock orders everything.
 */
public final class HealthWindow {

  private int @Nullable [] totalsAtRestart;
  private long restartNanos;

  /** What came before now does not count any more. {@code totals}, by {@link EventCells}, is kept. */
  public void restart(int[] totals, long nowNanos) {
    totalsAtRestart = totals;
    restartNanos = nowNanos;
  }

  /**
   * The health of the window that starts at {@code startNanos}.
   *
   * @param totals those of now, by {@link EventCells}; is changed
   * @param history of these totals
   */
  public HealthSnapshot snapshot(int[] totals, History history, long startNanos) {
    int[] base = totalsAtRestart;
    if (base != null && restartNanos - startNanos >= 0) {
      for (int i = 0; i < base.length; i++) {
        totals[i] -= base[i];
      }
    } else {
      totalsAtRestart = null;
      history.subtractUntil(startNanos, totals);
    }
    return EventCells.health(totals);
  }
}
