// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.Difference;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.model.MemberReport.Masked;
import dev.tenrec.fleet.model.MemberReport.Refused;
import dev.tenrec.fleet.model.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What changes mean for instances, in words. */
public final class Effects {

  private Effects() {}

  /** What instances would refuse of a change, and would not without it. */
  public static List<Refused> refused(
      String prefix, Map<FleetLayer, FleetDocument> now, Map<FleetLayer, FleetDocument> changed) {
    Map<FleetLayer, FleetDocument> after = new TreeMap<>(now);
    after.putAll(changed);
    Map<String, Refused> refused = new LinkedHashMap<>();
    for (FleetLayer layer : changed.keySet()) {
      List<FleetLayer> view =
          layer.equals(FleetLayer.FLEET) ? List.of(layer) : List.of(FleetLayer.FLEET, layer);
      List<Refused> before = RuleCheck.check(prefix, Edits.merged(now, view));
      for (Refused each : RuleCheck.check(prefix, Edits.merged(after, view))) {
        if (!before.contains(each) || touches(each.key(), now, changed)) {
          refused.put(each.key(), each);
        }
      }
    }
    return List.copyOf(refused.values());
  }

  private static boolean touches(
      String key, Map<FleetLayer, FleetDocument> now, Map<FleetLayer, FleetDocument> changed) {
    return Edits.differences(now, changed).stream()
        .anyMatch(difference -> difference.key().equals(key) && difference.after() != null);
  }

  /** What differences mean, one sentence for each difference and each exception to it. */
  public static List<String> of(
      String prefix,
      List<Difference> differences,
      Map<FleetLayer, FleetDocument> after,
      List<MemberReport> members) {
    List<String> effects = new ArrayList<>();
    for (Difference difference : differences) {
      FleetLayer layer = FleetLayer.parse(difference.layer());
      List<MemberReport> concerned =
          members.stream().filter(member -> concerns(layer, after, member)).toList();
      effects.add(
          difference.key()
              + " of "
              + layer
              + ": "
              + words(difference.before())
              + " -> "
              + words(difference.after())
              + has(prefix, difference.key(), concerned));
      beaten(layer, difference.key(), after, effects);
      for (MemberReport member : concerned) {
        for (Masked masked : member.masked()) {
          if (masked.key().equals(difference.key())) {
            effects.add("  on " + member.id() + " it is beaten by " + masked.by());
          }
        }
      }
    }
    return effects;
  }

  private static String has(String prefix, String key, List<MemberReport> concerned) {
    RuleCheck.Place place = RuleCheck.place(prefix, key);
    String words = "; concerns " + concerned.size() + " instances";
    if (place == null
        || !place.property().scope().equals("command")
        || place.key().equals("default")) {
      return words;
    }
    long there =
        concerned.stream().filter(member -> member.commands().contains(place.key())).count();
    return words + ", " + there + " of them have the command " + place.key();
  }

  private static void beaten(
      FleetLayer layer, String key, Map<FleetLayer, FleetDocument> after, List<String> effects) {
    after.forEach(
        (other, document) -> {
          Setting setting = document.settings().get(key);
          boolean stronger = other.kind().compareTo(layer.kind()) > 0;
          if (stronger && setting != null) {
            effects.add("  in " + other + " it is beaten by " + words(setting));
          }
        });
  }

  private static boolean concerns(
      FleetLayer layer, Map<FleetLayer, FleetDocument> after, MemberReport member) {
    return switch (layer.kind()) {
      case FLEET -> true;
      case ZONE -> layer.name().equals(member.zone());
      case INSTANCE -> layer.name().equals(member.id());
      case CANARY -> {
        Canary canary = after.getOrDefault(layer, FleetDocument.EMPTY).canary();
        yield canary != null && canary.has(member.id());
      }
    };
  }

  private static String words(@Nullable Setting setting) {
    if (setting == null) {
      return "not set";
    }
    return setting.forMillis() == null
        ? setting.value()
        : setting.value() + " for " + setting.forMillis() / 1_000 + " s";
  }

  /** What there is to say of an instance that goes by a version; empty if nothing. */
  public static String remark(MemberReport report) {
    List<String> remarks = new ArrayList<>();
    report.refused().forEach(each -> remarks.add("refused " + each.key() + ": " + each.rule()));
    report.masked().forEach(each -> remarks.add(each.key() + " is beaten by " + each.by()));
    if (report.alarm() != null) {
      remarks.add(report.alarm());
    }
    return String.join("; ", remarks);
  }

  /** Why an instance does not go by a version yet. */
  public static String whyNot(MemberReport report) {
    if (report.alarm() != null) {
      return "goes by version " + report.version() + ": " + report.alarm();
    }
    return report.version() == 0
        ? "has no Tenrec yet that goes by the settings"
        : "goes by version " + report.version() + " still";
  }
}
