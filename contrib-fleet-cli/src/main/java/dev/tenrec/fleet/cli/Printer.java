// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tenrec.fleet.DryRun;
import dev.tenrec.fleet.Rollout;
import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.Difference;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.model.Setting;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Prints answers: one JSON value a line, or lines for people. */
final class Printer {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build();

  private final PrintWriter out;
  private final boolean json;

  Printer(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** Prints it as JSON if that was asked for; returns whether it was. */
  boolean json(Object value) {
    if (!json) {
      return false;
    }
    try {
      out.println(JSON.writeValueAsString(value));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
    return true;
  }

  void line(String text) {
    out.println(text);
  }

  void document(FleetLayer layer, FleetDocument document) {
    line(layer + " (version " + document.version() + ")");
    Canary canary = document.canary();
    if (canary != null) {
      line(
          "  canary "
              + canary.id()
              + ": "
              + String.join(", ", canary.members())
              + (canary.sharePercent() > 0 ? " and " + canary.sharePercent() + " %" : "")
              + ", for "
              + canary.forMillis() / 1_000
              + " s"
              + (canary.guard() == null ? ", no guard" : ", " + canary.guard()));
    }
    new TreeMap<>(document.settings())
        .forEach((key, setting) -> line("  " + key + " = " + words(setting)));
  }

  void change(Change change) {
    line(
        change.version()
            + "  "
            + Instant.ofEpochMilli(change.whenMillis())
            + "  "
            + change.kind()
            + " by "
            + change.author()
            + ": "
            + change.reason());
    differences(change.differences());
  }

  void differences(List<Difference> differences) {
    differences.forEach(
        each ->
            line(
                "  "
                    + each.layer()
                    + " "
                    + each.key()
                    + ": "
                    + words(each.before())
                    + " -> "
                    + words(each.after())));
  }

  void dryRun(DryRun dryRun) {
    line("on version " + dryRun.baseVersion() + "; nothing was written");
    dryRun.effects().forEach(this::line);
    dryRun.refused().forEach(each -> line("REFUSED " + each.key() + ": " + each.rule()));
  }

  void rollout(Rollout rollout) {
    line(
        "version "
            + rollout.version()
            + " applied by "
            + rollout.applied().size()
            + " of "
            + (rollout.applied().size() + rollout.waiting().size())
            + " instances");
    rollout.waiting().forEach((id, why) -> line("  waiting: " + id + " " + why));
    rollout.remarks().forEach((id, what) -> line("  " + id + ": " + what));
  }

  void advice(ConsoleClient.Advised advised, String prefix) {
    line(advised.key() + ", watched for " + advised.watchedMillis() / 1_000 + " s:");
    advised
        .proposals()
        .forEach(
            each ->
                line(
                    "  set "
                        + each.proposal().name(prefix)
                        + "="
                        + each.proposed()
                        + ", was "
                        + each.present()
                        + " ("
                        + each.reason()
                        + ")"));
    if (advised.proposals().isEmpty()) {
      line("  nothing to change" + (advised.withheld().isEmpty() ? "" : " can be proposed"));
    }
    if (advised.present() != null) {
      line("  as it is: " + advised.present());
    }
    if (advised.proposed() != null) {
      line("  as proposed: " + advised.proposed());
    }
    advised.withheld().forEach(each -> line("  not said: " + each));
    advised.warnings().forEach(each -> line("  look at: " + each));
  }

  void member(MemberReport report) {
    line(
        report.id()
            + (report.zone() == null ? "" : " in " + report.zone())
            + ": version "
            + report.version()
            + ", settings "
            + report.settingsHash()
            + ", in force "
            + report.effectiveHash()
            + (report.canary() == null ? "" : ", canary: " + report.canary())
            + (report.alarm() == null ? "" : ", ALARM: " + report.alarm()));
    if (!report.refusing().isEmpty()) {
      line("  circuits that refuse: " + String.join(", ", report.refusing()));
    }
    report.refused().forEach(each -> line("  refused " + each.key() + ": " + each.rule()));
    report.masked().forEach(each -> line("  " + each.key() + " is beaten by " + each.by()));
  }

  static String words(@Nullable Setting setting) {
    if (setting == null) {
      return "not set";
    }
    return setting.forMillis() == null
        ? setting.value()
        : setting.value() + " for " + setting.forMillis() / 1_000 + " s";
  }
}
