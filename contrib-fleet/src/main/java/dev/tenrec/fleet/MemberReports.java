// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.internal.Json;
import dev.tenrec.fleet.internal.Names;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.Stored;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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

  /** Of these, without those that have left meanwhile. */
  static List<MemberReport> of(FleetStore store, List<String> ids) {
    List<@Nullable Stored> texts = store.readAll(ids.stream().map(Names::applied).toList());
    List<MemberReport> reports = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      Stored text = texts.get(i);
      if (text != null) {
        reports.add(Json.read("the report of " + ids.get(i), text.text(), MemberReport.class));
      }
    }
    return reports;
  }
}
