// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** What the application knows of itself, for the console. */
@Component
class Figures {

  private static final List<EventType> EVENTS =
      List.of(
          EventType.SUCCESS,
          EventType.FAILURE,
          EventType.TIMEOUT,
          EventType.SHORT_CIRCUITED,
          EventType.THREAD_POOL_REJECTED,
          EventType.FALLBACK_SUCCESS,
          EventType.FALLBACK_FAILURE,
          EventType.FALLBACK_REJECTION,
          EventType.EXCEPTION_THROWN);

  private final Tenrec tenrec;
  private final Dependency dependency;

  Figures(Tenrec tenrec, Dependency dependency) {
    this.tenrec = tenrec;
    this.dependency = dependency;
  }

  /** Another run begins. */
  Map<String, Long> begin(String number) {
    dependency.begin(number);
    return Map.of();
  }

  /**
   * What was counted since the start.
   *
   * @param group whose command, or one that has none
   */
  Map<String, Long> counts(String group) {
    Map<String, Long> figures = new TreeMap<>(dependency.counts());
    for (CommandView command : tenrec.commands()) {
      if (command.group().equals(group)) {
        EVENTS.forEach(event -> figures.put(event.name(), command.cumulativeCount(event)));
      }
    }
    return figures;
  }

  /** How its pool is. */
  Map<String, Long> pool(String group) {
    PoolView pool =
        tenrec.pools().stream()
            .filter(view -> view.key().equals(group))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("there is no pool " + group));
    return Map.of(
        "coreSize", (long) pool.coreSize(),
        "maximumSize", (long) pool.maximumSize(),
        "active", (long) pool.active(),
        "queued", (long) pool.queued());
  }

  /** {@code property=value}, and again: in memory, above all other sources, in one change. */
  Map<String, Long> set(String pairs) {
    Map<String, String> properties = new TreeMap<>();
    for (String pair : pairs.split(" ", -1)) {
      String[] parts = pair.split("=", 2);
      properties.put(parts[0], parts[1]);
    }
    tenrec.set(properties);
    return refused();
  }

  /** Takes them back. */
  Map<String, Long> clear(String properties) {
    tenrec.clear(List.of(properties.split(" ", -1)));
    return refused();
  }

  private Map<String, Long> refused() {
    return Map.of("refusedSettings", tenrec.refusedSettings());
  }
}
