// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.FleetRefusedException.Reason;
import dev.tenrec.fleet.internal.Edit;
import dev.tenrec.fleet.internal.Edits;
import dev.tenrec.fleet.internal.Misfit;
import dev.tenrec.fleet.internal.Names;
import dev.tenrec.fleet.internal.Spelling;
import dev.tenrec.fleet.internal.Writer;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.Difference;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.model.Setting;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.Stored;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes the changes of one version back, key by key, if no later version has changed these. */
final class UndoEdit implements Edit {

  private final FleetStore store;
  private final Change undone;
  private final Spelling spelling;

  private UndoEdit(FleetStore store, Change undone, Spelling spelling) {
    this.store = store;
    this.undone = undone;
    this.spelling = spelling;
  }

  /**
   * Of this version.
   *
   * @throws FleetRefusedException if the history does not have it any more
   * @throws Writer.DamagedEntryException if its entry cannot be read
   */
  static UndoEdit of(FleetStore store, long version, Spelling spelling) {
    Stored stored = store.read(Names.history(version));
    if (stored == null) {
      throw new FleetRefusedException(
          Reason.INVALID,
          "the history has no version " + version + "; it keeps " + Writer.MOST_CHANGES);
    }
    return new UndoEdit(store, Writer.change(version, stored), spelling);
  }

  @Override
  public Edit.Outcome apply(
      Map<FleetLayer, FleetDocument> now, Manifest manifest, long nextVersion) {
    Later later = new Later(); // read anew each time: another change may have come between
    Map<FleetLayer, Map<String, Setting>> changed = new HashMap<>();
    for (Difference difference : differences()) {
      FleetLayer layer = FleetLayer.parse(difference.layer());
      if (layer.equals(FleetLayer.CANARY)) {
        if (undone.kind().equals("promote")) {
          continue; // the canary is over, and stays so
        }
        throw new FleetRefusedException(
            Reason.INVALID, "version " + undone.version() + " concerns the canary: roll it back");
      }
      if (Misfit.isOf(layer, now.keySet(), manifest)) {
        throw new FleetRefusedException(
            Reason.INVALID, Misfit.leftOut(layer, manifest) + ": what is left there is unknown");
      }
      Map<String, Setting> settings =
          changed.computeIfAbsent(
              layer, each -> new HashMap<>(now.getOrDefault(each, FleetDocument.EMPTY).settings()));
      checkLeft(difference, settings.get(difference.key()), later);
      Setting before = difference.before();
      if (before == null || isOver(before)) {
        settings.remove(difference.key());
      } else {
        settings.put(difference.key(), before);
      }
    }
    if (changed.isEmpty()) {
      throw new FleetRefusedException(
          Reason.INVALID, "version " + undone.version() + " changed no setting");
    }
    Map<FleetLayer, FleetDocument> documents = new HashMap<>();
    changed.forEach(
        (layer, settings) -> documents.put(layer, new FleetDocument(nextVersion, settings, null)));
    return new Edit.Outcome(documents, manifest.frozen());
  }

  /** Of the version, by the one spelling of its keys: an older Tenrec may have written another. */
  private List<Difference> differences() {
    Map<FleetLayer, FleetDocument> before = new HashMap<>();
    Map<FleetLayer, FleetDocument> after = new HashMap<>();
    undone.differences().stream()
        .map(Difference::layer)
        .distinct()
        .forEach(
            layer -> {
              before.put(FleetLayer.parse(layer), side(layer, Difference::before));
              after.put(FleetLayer.parse(layer), side(layer, Difference::after));
            });
    return Edits.differences(before, after);
  }

  private FleetDocument side(String layer, Function<Difference, @Nullable Setting> side) {
    Map<String, Setting> settings = new HashMap<>();
    for (Difference each : undone.differences()) {
      Setting setting = side.apply(each);
      if (each.layer().equals(layer) && setting != null) {
        settings.put(each.key(), setting);
      }
    }
    return new FleetDocument(undone.version(), spelling.respelled(settings), null);
  }

  /** What has no beginning, in an older Tenrec's history, is taken for over. */
  private boolean isOver(Setting before) {
    return before.forMillis() != null && before.endMillis(0) <= store.nowMillis();
  }

  /** The changes after that version: up to 999 reads, so only where they decide something. */
  private final class Later {

    private @Nullable List<Change> changes;

    List<Change> changes() {
      List<Change> known = changes;
      if (known == null) {
        known = Writer.historyAfter(store, undone.version());
        changes = known;
      }
      return known;
    }
  }

  /** Refuses if somebody has changed the key since, even if it says the same again. */
  private void checkLeft(Difference difference, @Nullable Setting is, Later later) {
    Setting left = difference.after();
    if (left != null
        && is != null
        && left.sameAs(is)
        && Objects.equals(is.version(), undone.version())) {
      return; // the setting says itself whose it is
    }
    boolean over = left != null && left.forMillis() != null && is == null; // nobody's change
    boolean same = left == null ? is == null : left.sameAs(is) || over;
    Optional<Change> changed =
        later.changes().stream()
            .filter(
                change ->
                    change.differences().stream()
                        .anyMatch(
                            each ->
                                spelling.of(each.key()).equals(difference.key())
                                    && each.layer().equals(difference.layer())))
            .findFirst();
    if (!same || changed.isPresent()) {
      throw new FleetRefusedException(
          Reason.CONFLICT,
          "version "
              + undone.version()
              + " cannot be undone: "
              + difference.key()
              + " of "
              + difference.layer()
              + " was changed again since"
              + changed
                  .map(change -> ", by version " + change.version() + " of " + change.author())
                  .orElse(""));
    }
  }
}
