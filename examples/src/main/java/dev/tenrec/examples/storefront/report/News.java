// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.examples.storefront.command.SettingsLog;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.metrics.time.Ticker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What has happened since somebody last looked. {@link #report} may be called by any thread, the
 * rest by one at a time.
 */
public final class News {

  /** Something that happened at a time. */
  private record Item(long atNanos, String text) {}

  private final Ticker clock;
  private final List<WatchedCommand> commands;
  private final SettingsLog settings;

  /** Written by any thread, taken by the table's thread, ordered by the queue. */
  private final Queue<Item> reported = new ConcurrentLinkedQueue<>();

  private final Map<String, Long> lastTransition = new HashMap<>();
  private int settingsSeen;

  /**
   * No news yet.
   *
   * @param commands whose circuits are watched
   * @param settings whose changes are reported
   */
  public News(Ticker clock, List<WatchedCommand> commands, SettingsLog settings) {
    this.clock = clock;
    this.commands = commands;
    this.settings = settings;
  }

  /** Reports an event of this moment. */
  public void report(String text) {
    reported.add(new Item(clock.nanoTime(), text));
  }

  /** All that was not taken yet, in the order it happened. */
  List<String> takeAll() {
    List<Item> news = new ArrayList<>();
    for (Item item = reported.poll(); item != null; item = reported.poll()) {
      news.add(item);
    }
    List<SettingsLog.Entry> changes = settings.entries();
    changes
        .subList(settingsSeen, changes.size())
        .forEach(entry -> news.add(new Item(entry.atNanos(), text(entry))));
    settingsSeen = changes.size();
    commands.forEach(command -> addTransitions(command, news));
    return news.stream()
        .sorted(Comparator.comparingLong(Item::atNanos))
        .map(item -> Columns.seconds(item.atNanos()) + "  " + item.text())
        .toList();
  }

  private void addTransitions(WatchedCommand command, List<Item> news) {
    for (Transition transition : command.journal().get()) {
      if (transition.number() > lastTransition.getOrDefault(command.key(), 0L)) {
        lastTransition.put(command.key(), transition.number());
        news.add(
            new Item(command.atNanos(transition), command.key() + ": circuit " + text(transition)));
      }
    }
  }

  static String text(Transition transition) {
    return transition.from() + " -> " + transition.to() + ": " + transition.explanation();
  }

  static String text(SettingsLog.Entry entry) {
    return entry.change().key()
        + ": "
        + entry.change().property()
        + " "
        + entry.change().oldValue()
        + " -> "
        + entry.change().newValue();
  }
}
