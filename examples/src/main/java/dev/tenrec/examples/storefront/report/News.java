// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.examples.storefront.command.SettingsLog;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What has happened since somebody last looked. {@link #tell} may be called by any thread, the rest
 * by one.
 */
public final class News {

  private final List<WatchedCommand> commands;
  private final SettingsLog settings;

  /** Added to by whoever has news, taken from by the table. */
  private final Queue<String> told = new ConcurrentLinkedQueue<>();

  private final Map<String, Long> lastTransition = new HashMap<>();
  private int settingsSeen;

  /**
   * No news yet.
   *
   * @param commands whose circuits are watched
   * @param settings whose changes are told
   */
  public News(List<WatchedCommand> commands, SettingsLog settings) {
    this.commands = commands;
    this.settings = settings;
  }

  /** Tells something. */
  public void tell(String text) {
    told.add(text);
  }

  /** All that has not been told yet. */
  List<String> takeAll() {
    List<String> news = new ArrayList<>();
    for (String text = told.poll(); text != null; text = told.poll()) {
      news.add(text);
    }
    List<SettingsLog.Entry> changes = settings.entries();
    changes.subList(settingsSeen, changes.size()).forEach(entry -> news.add(text(entry)));
    settingsSeen = changes.size();
    commands.forEach(command -> addTransitions(command, news));
    return news;
  }

  private void addTransitions(WatchedCommand command, List<String> news) {
    for (Transition transition : command.journal().get()) {
      if (transition.number() > lastTransition.getOrDefault(command.key(), 0L)) {
        lastTransition.put(command.key(), transition.number());
        news.add(
            Columns.seconds(command.atNanos(transition))
                + "  "
                + command.key()
                + ": circuit "
                + text(transition));
      }
    }
  }

  static String text(Transition transition) {
    return transition.from() + " -> " + transition.to() + ": " + transition.explanation();
  }

  static String text(SettingsLog.Entry entry) {
    return Columns.seconds(entry.atNanos())
        + "  "
        + entry.change().key()
        + ": "
        + entry.change().property()
        + " "
        + entry.change().oldValue()
        + " -> "
        + entry.change().newValue();
  }
}
