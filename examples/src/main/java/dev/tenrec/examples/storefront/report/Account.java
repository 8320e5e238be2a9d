// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import dev.tenrec.examples.storefront.command.SettingsLog;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.examples.storefront.load.Answers;
import dev.tenrec.examples.storefront.load.CallLog;
import dev.tenrec.examples.storefront.load.Ending;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * All that is known after a run: by the callers' account, and by Tenrec's.
 *
 * @param length for how long shoppers came
 * @param commands what Tenrec counted
 * @param log what the callers got
 * @param settings what changed meanwhile
 * @param remains what is left of it
 */
public record Account(
    Duration length,
    List<WatchedCommand> commands,
    CallLog log,
    List<SettingsLog.Entry> settings,
    Remains remains) {

  /** What the callers of a command got. */
  Answers answers(WatchedCommand command) {
    return log.of(command.key());
  }

  /** Calls of all commands. */
  long calls() {
    return log.all().stream().mapToLong(Answers::calls).sum();
  }

  /** How the callers of all commands were answered. */
  Map<Ending, Long> endings() {
    Map<Ending, Long> all = new EnumMap<>(Ending.class);
    log.all()
        .forEach(
            answers -> answers.endings().forEach((ending, n) -> all.merge(ending, n, Long::sum)));
    return all;
  }

  /** How often this event happened, by Tenrec's count, in all commands. */
  long events(EventType event) {
    return commands.stream().mapToLong(command -> command.count(event)).sum();
  }
}
