// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.examples.storefront.command.Calls;
import dev.tenrec.examples.storefront.command.SettingsLog;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What a run is to show. Its moments are in its timetable; on a machine that is too slow for them
 * what follows waits for what comes before. Thread-safe.
 */
final class Story {

  /** What is done meanwhile. */
  @FunctionalInterface
  interface Pastime {

    void pass() throws InterruptedException;
  }

  private final Ticker clock;
  private final Calls calls;
  private final SettingsLog settings;

  Story(Ticker clock, Calls calls, SettingsLog settings) {
    this.clock = clock;
    this.calls = calls;
    this.settings = settings;
  }

  /** Passes the time until it is so, though not for ever. */
  void await(BooleanSupplier shown, Duration patience, Pastime pastime)
      throws InterruptedException {
    long beginNanos = clock.nanoTime();
    while (!shown.getAsBoolean() && clock.nanoTime() - beginNanos < patience.toNanos()) {
      pastime.pass();
    }
  }

  /** Both circuits in front of the dead service refuse calls, and fallbacks answer. */
  boolean outageShows() {
    return calls.getReviews().view().circuitState() != CircuitState.CLOSED
        && count(Calls.GET_REVIEWS, EventType.FALLBACK_SUCCESS) > 0
        && count(Calls.POST_REVIEW, EventType.SHORT_CIRCUITED) > 0;
  }

  /** The circuit has closed again, and the changed setting has had its effect. */
  boolean isOver() {
    return hasRecovered()
        && settings.entries().stream()
            .anyMatch(entry -> entry.isOf(Calls.GET_PRICE, CommandProperties.TIMEOUT.name()))
        && count(Calls.GET_PRICE, EventType.TIMEOUT) > 0
        && count(Calls.GET_PRODUCT, EventType.BAD_REQUEST) > 0;
  }

  private boolean hasRecovered() {
    boolean opened = false;
    for (Transition transition : calls.getReviews().transitions()) {
      if (opened && transition.to() == CircuitState.CLOSED) {
        return true;
      }
      opened |= transition.to() == CircuitState.OPEN;
    }
    return false;
  }

  private long count(String key, EventType event) {
    for (WatchedCommand command : calls.watched()) {
      if (command.key().equals(key)) {
        return command.count(event);
      }
    }
    throw new IllegalArgumentException("no command " + key);
  }
}
