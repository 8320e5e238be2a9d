// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.internal.Troubles.Trouble;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.model.MemberReport.Refused;
import dev.tenrec.fleet.store.NameTakenException;
import dev.tenrec.fleet.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces in the store what an instance goes by: which version it has applied, what it refused,
 * what is masked. Used by the follower's thread only.
 */
final class MemberReporter {

  private static final Logger LOG = LoggerFactory.getLogger(MemberReporter.class);

  private final FollowerPlan plan;
  private final Troubles troubles;

  /** Distinguishes two processes with one instance id. */
  private final String incarnation = UUID.randomUUID().toString();

  private final EffectiveHash hash = new EffectiveHash();

  private @Nullable MemberReport announced;

  MemberReporter(FollowerPlan plan, Troubles troubles) {
    this.plan = plan;
    this.troubles = troubles;
  }

  /** What was announced may be gone, as after a session's end: the next report is written. */
  void forget() {
    announced = null;
  }

  /**
   * Writes the report, if it differs from the last one.
   *
   * @param applied what the instance goes by
   * @param manifest of the settings that were merged
   * @param canary the instance's part in a canary, in words; null if it has none
   * @param observed whose plans the report is about; null if no Tenrec uses the settings yet
   * @param console where the instance's console is; null if that is not said
   * @return false if the store did not take it
   */
  boolean report(
      Merge applied,
      Manifest manifest,
      @Nullable String canary,
      @Nullable Tenrec observed,
      @Nullable String console) {
    MemberReport report = describe(applied, manifest, canary, observed, console);
    if (report.equals(announced)) {
      return true;
    }
    try {
      plan.store().announce(Names.applied(plan.id()), Json.write(report));
      announced = report;
      troubles.set(Trouble.IDENTITY, null, manifest.version());
      return true;
    } catch (NameTakenException taken) {
      troubles.set(
          Trouble.IDENTITY,
          "the instance id "
              + plan.id()
              + " is in use by another session: this instance follows the settings, but cannot"
              + " report",
          manifest.version());
    } catch (StoreException failed) {
      LOG.debug("The report was not written; tried again", failed);
    }
    return false;
  }

  private MemberReport describe(
      Merge applied,
      Manifest manifest,
      @Nullable String canary,
      @Nullable Tenrec observed,
      @Nullable String console) {
    Applied outcome =
        observed == null ? null : Applied.of(observed, plan.prefix(), applied.values(), hash);
    List<Refused> refused = new ArrayList<>(applied.refused());
    if (outcome != null) {
      refused.addAll(outcome.refused());
    }
    return new MemberReport(
        plan.id(),
        incarnation,
        plan.zone(),
        outcome == null ? 0 : manifest.version(), // nothing is applied before a Tenrec uses it
        manifest.lineage(),
        Digest.of(applied.values()),
        outcome == null ? "" : outcome.effectiveHash(),
        refused,
        outcome == null ? List.of() : outcome.masked(),
        canary,
        troubles.alarm(),
        outcome == null ? List.of() : outcome.commands(),
        outcome == null ? List.of() : outcome.refusing(),
        console);
  }

  /** Takes the report back. */
  void withdraw() {
    try {
      plan.store().withdraw(Names.applied(plan.id()));
    } catch (StoreException gone) {
      LOG.debug("The report was not taken back; it goes with its session", gone);
    }
  }
}
