// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.examples.storefront.command.SettingsLog;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.examples.storefront.load.Answers;
import dev.tenrec.examples.storefront.load.Ending;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The account as a file, for programs. */
public final class JsonReport {

  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonReport() {}

  /** Writes it. */
  public static void write(Path file, Account account, List<Check> checks) throws IOException {
    JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), report(account, checks));
  }

  private static Map<String, @Nullable Object> report(Account account, List<Check> checks) {
    Map<String, @Nullable Object> report = new LinkedHashMap<>();
    report.put("java", System.getProperty("java.version"));
    report.put("processors", Runtime.getRuntime().availableProcessors());
    report.put("seconds", account.length().toMillis() / 1e3);
    report.put("calls", account.calls());
    report.put("endings", endings(account.endings()));
    report.put("events", events(account::events));
    report.put("permitsOutstanding", account.remains().permits());
    report.put("threadsLeft", account.remains().threads());
    Map<String, @Nullable Object> commands = new LinkedHashMap<>();
    account.commands().forEach(command -> commands.put(command.key(), command(account, command)));
    report.put("commands", commands);
    report.put("settingChanges", account.settings().stream().map(JsonReport::change).toList());
    report.put("accountingHolds", checks.stream().allMatch(Check::holds));
    report.put(
        "differences", checks.stream().filter(check -> !check.holds()).map(Check::text).toList());
    return report;
  }

  private static Map<String, @Nullable Object> command(Account account, WatchedCommand command) {
    Answers answers = account.answers(command);
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("isolation", command.isolation());
    fields.put("calls", answers.calls());
    fields.put("endings", endings(answers.endings()));
    fields.put("events", events(command::count));
    fields.put("p50Millis", answers.percentileMillis(50));
    fields.put("p99Millis", answers.percentileMillis(99));
    fields.put(
        "transitions",
        command.journal().get().stream().map(each -> transition(command, each)).toList());
    return fields;
  }

  private static Map<String, @Nullable Object> endings(Map<Ending, Long> counts) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    counts.forEach((ending, count) -> fields.put(ending.label(), count));
    return fields;
  }

  private static Map<String, @Nullable Object> events(ToLongFunction<EventType> counts) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (EventType event : EventType.values()) {
      fields.put(event.name(), counts.applyAsLong(event));
    }
    return fields;
  }

  private static Map<String, @Nullable Object> transition(
      WatchedCommand command, Transition transition) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("from", transition.from().name());
    fields.put("to", transition.to().name());
    fields.put("atMillis", command.atNanos(transition) / 1_000_000);
    fields.put("reason", transition.reason().name());
    fields.put("explanation", transition.explanation());
    return fields;
  }

  private static Map<String, @Nullable Object> change(SettingsLog.Entry entry) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("atMillis", entry.atNanos() / 1_000_000);
    fields.put("scope", entry.change().scope());
    fields.put("key", entry.change().key());
    fields.put("property", entry.change().property());
    fields.put("from", entry.change().oldValue());
    fields.put("to", entry.change().newValue());
    return fields;
  }
}
