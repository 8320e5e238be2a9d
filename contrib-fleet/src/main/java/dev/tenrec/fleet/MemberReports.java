// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.internal.Json;
import dev.tenrec.fleet.internal.Names;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.Stored;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads what the instances that are there report. */
final class MemberReports {

  private MemberReports() {}

  /** Of all, by their ids. */
  static List<MemberReport> all(FleetStore store) {
    List<MemberReport> reports = of(store, ids(store));
    reports.sort(Comparator.comparing(MemberReport::id));
    return reports;
  }

  /** Which instances are there, in no order. */
  static List<String> ids(FleetStore store) {
    return store.names(Names.APPLIED);
  }

  /**
   * Of these, without those that have left meanwhile. Any instance may write what it likes: a
   * report that is none has a stand-in with an alarm, and hides no other.
   */
  static List<MemberReport> of(FleetStore store, List<String> ids) {
    List<@Nullable Stored> texts = store.readAll(ids.stream().map(Names::applied).toList());
    List<MemberReport> reports = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      Stored text = texts.get(i);
      if (text != null) {
        reports.add(of(ids.get(i), text));
      }
    }
    return reports;
  }

  private static MemberReport of(String id, Stored text) {
    String what = "the report of " + id;
    try {
      MemberReport report = Json.read(what, text.text(), MemberReport.class);
      if (!id.equals(report.id())) {
        return standIn(id, what + " is not one of this instance");
      }
      return isWhole(report) ? filled(report) : standIn(id, what + " lacks something");
    } catch (StoreException unreadable) {
      return standIn(id, Objects.requireNonNullElse(unreadable.getMessage(), what + " is none"));
    }
  }

  private static boolean isWhole(MemberReport report) {
    return report.refused().stream().allMatch(each -> each.key() != null && each.rule() != null)
        && report.masked().stream().allMatch(each -> each.key() != null && each.by() != null);
  }

  private static MemberReport filled(MemberReport report) {
    return new MemberReport(
        report.id(),
        Objects.requireNonNullElse(report.incarnation(), ""),
        report.zone(),
        report.version(),
        Objects.requireNonNullElse(report.lineage(), ""),
        Objects.requireNonNullElse(report.settingsHash(), ""),
        Objects.requireNonNullElse(report.effectiveHash(), ""),
        report.refused(),
        report.masked(),
        report.canary(),
        report.alarm(),
        report.commands(),
        report.refusing(),
        report.console());
  }

  private static MemberReport standIn(String id, String alarm) {
    return new MemberReport(
        id, "", null, 0, "", "", "", List.of(), List.of(), null, alarm, List.of(), List.of(), null);
  }
}
