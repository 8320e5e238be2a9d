// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.FleetRefusedException.Reason;
import dev.tenrec.fleet.internal.Edit;
import dev.tenrec.fleet.internal.Edits;
import dev.tenrec.fleet.internal.Effects;
import dev.tenrec.fleet.internal.FleetReader;
import dev.tenrec.fleet.internal.Held;
import dev.tenrec.fleet.internal.Misfit;
import dev.tenrec.fleet.internal.Spelling;
import dev.tenrec.fleet.internal.Writer;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.Difference;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.model.MemberReport.Refused;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.StaleWriteException;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes a fleet's settings, and sees how far changes have come. Every change needs a reason; its
 * author is as what the store has authenticated the session.
 *
 * <p>Thread-safe, if the store is. Its methods wait for the store, and throw {@link
 * dev.tenrec.fleet.store.StoreException} if that fails.
 */
public final class FleetOperator {

  private final FleetStore store;
  private final String prefix;
  private final boolean allowAnonymous;
  private final @Nullable String id;
  private final @Nullable Long expected;

  private FleetOperator(
      FleetStore store,
      String prefix,
      boolean allowAnonymous,
      @Nullable String id,
      @Nullable Long expected) {
    this.store = store;
    this.prefix = prefix;
    this.allowAnonymous = allowAnonymous;
    this.id = id;
    this.expected = expected;
  }

  /** An operator of settings whose keys begin with {@code tenrec}. */
  public static FleetOperator of(FleetStore store) {
    return new FleetOperator(Objects.requireNonNull(store, "store"), "tenrec", false, null, null);
  }

  /** Returns a copy of this operator for another prefix of keys. Default {@code tenrec}. */
  public FleetOperator prefix(String prefix) {
    return new FleetOperator(
        store, Objects.requireNonNull(prefix, "prefix"), allowAnonymous, id, expected);
  }

  /**
   * Returns a copy that also lets unauthenticated sessions write. For tests. Default: they may not.
   */
  public FleetOperator allowAnonymous() {
    return new FleetOperator(store, prefix, true, id, expected);
  }

  /**
   * Returns a copy for one change, which has this id: written again it does nothing if it was
   * written, for an author that had no answer. It is found among all changes that the history
   * keeps, the last 1,000: sent again after more than these, it is written again, unless it
   * {@linkplain #expecting expects} a version. Default: each change has an id of its own.
   *
   * @param name must not be blank
   */
  public FleetOperator withId(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("the id of a change must not be blank");
    }
    return new FleetOperator(store, prefix, allowAnonymous, name, expected);
  }

  /**
   * Returns a copy whose changes are refused if there is another version than this: if somebody was
   * first. Default: any may be there.
   */
  public FleetOperator expecting(long version) {
    return new FleetOperator(store, prefix, allowAnonymous, id, version);
  }

  /** What keys begin with. */
  public String prefix() {
    return prefix;
  }

  /** As whom the store has authenticated the session: the author of what is written. */
  public String author() {
    return store.principal();
  }

  /**
   * All settings there are, of one version. Keys are as they stand in the tables of properties,
   * however they were written; one that a document has in two spellings is there twice.
   *
   * <p>A document that is missing, older than the manifest says, or damaged is left out: the
   * manifest names its layer, and {@link FleetState#documents} does not have it. That layer is
   * written anew, by {@link FleetDraft#anew}, or by {@link #rollBack}; instances that read it take
   * no change until then. Other layers are written as ever, but if that layer is {@code fleet}: the
   * check of theirs needs it, so they are refused unless they are {@linkplain FleetDraft#unchecked
   * unchecked}.
   */
  public FleetState state() {
    Held held = FleetReader.readAll(store, Held.NOTHING);
    return new FleetState(held.manifest(), documents(held, new Spelling(prefix)));
  }

  /** Starts a change. */
  public FleetDraft change(String reason) {
    FleetDraft draft = new FleetDraft(this, checkReason(reason));
    if (expected != null) {
      draft.expecting(expected);
    }
    return id == null ? draft : draft.id(id);
  }

  /**
   * The last changes, the latest first; at most {@code most}, and never more than 1,000.
   *
   * @throws IllegalArgumentException if {@code most} is less than 0
   */
  public List<Change> history(int most) {
    return Writer.history(store, most);
  }

  /** What the instances that are there report, by their ids. */
  public List<MemberReport> members() {
    return MemberReports.all(store);
  }

  /**
   * Waits until all instances that are there go by a version, or a later one.
   *
   * @param patience how long at most
   * @return how far it has come then
   */
  public Rollout rollout(long version, Duration patience) {
    return RolloutWatch.await(store, version, patience, Ticker.system(), Waiter.system());
  }

  /**
   * Makes the canary's settings the fleet's, and ends it, in one change.
   *
   * @throws FleetRefusedException if there is no canary, or a zone beats a key of it, or may: its
   *     document is missing, older or damaged
   */
  public Change promote(String reason) {
    return write("promote", reason, true, losingNothing(CanaryEdits::promoted));
  }

  /** Ends the canary without taking over its settings, also where its document does not fit. */
  public Change rollBack(String reason) {
    return write("rollback", reason, false, CanaryEdits::rolledBack);
  }

  /**
   * Takes one version's changes back, key by key, as a new version. Others stay. What the version
   * set is known by the settings themselves; for what it cleared, and what has ended since, all
   * later changes are read, one by one.
   *
   * @throws FleetRefusedException if the history does not have it any more, if a later version has
   *     changed one of its keys, if it began a canary, which is rolled back instead, or if an entry
   *     of the history that it needs is damaged
   */
  public Change undo(long version, String reason) {
    UndoEdit edit;
    try {
      edit = UndoEdit.of(store, version, new Spelling(prefix));
    } catch (Writer.DamagedEntryException damaged) {
      throw hanging(damaged);
    }
    return write("undo", reason, true, losingNothing(edit));
  }

  /** Has every change refused until {@link #thaw}. */
  public Change freeze(String reason) {
    return write(
        "freeze", reason, false, (now, manifest, next) -> new Edit.Outcome(Map.of(), reason));
  }

  /** Ends {@link #freeze}. */
  public Change thaw(String reason) {
    return write("thaw", reason, false, (now, manifest, next) -> new Edit.Outcome(Map.of(), null));
  }

  private Change write(String kind, String reason, boolean checked, Edit edit) {
    String name = id == null ? UUID.randomUUID().toString() : id;
    return write(kind, reason, name, id != null, expected, checked, edit);
  }

  Change write(
      String kind,
      String reason,
      String id,
      boolean again,
      @Nullable Long expected,
      boolean checked,
      Edit edit) {
    String author = store.principal();
    if (author.isEmpty() && !allowAnonymous) {
      throw new FleetRefusedException(
          Reason.NOT_AUTHENTICATED,
          "the store has not authenticated this session, and no change is written without an"
              + " author");
    }
    Edit whole =
        (now, manifest, version) -> {
          if (manifest.frozen() != null && !kind.equals("thaw")) {
            throw new FleetRefusedException(
                Reason.FROZEN, "the settings are frozen: " + manifest.frozen());
          }
          Edit.Outcome outcome = edit.apply(now, manifest, version);
          if (checked) {
            refuseBad(now, manifest, outcome.documents());
          }
          return outcome;
        };
    String by = author.isEmpty() ? "anonymous" : author;
    try {
      return Writer.write(
          store,
          new Writer.Order(
              kind, by, checkReason(reason), id, again, expected, new Spelling(prefix), whole));
    } catch (StaleWriteException stale) {
      throw new FleetRefusedException(Reason.CONFLICT, conflict(expected, stale));
    } catch (Writer.IdTakenException taken) {
      throw new FleetRefusedException(Reason.CONFLICT, String.valueOf(taken.getMessage()));
    } catch (Writer.DamagedEntryException damaged) {
      throw hanging(damaged);
    } catch (Writer.TooLargeException large) {
      throw new FleetRefusedException(
          Reason.TOO_LARGE, Objects.requireNonNullElse(large.getMessage(), "too large"));
    }
  }

  private String conflict(@Nullable Long expected, StaleWriteException stale) {
    List<Change> last = Writer.history(store, 1);
    return last.isEmpty() || expected == null
        ? String.valueOf(stale.getMessage())
        : "expected version "
            + expected
            + ", but there is version "
            + last.get(0).version()
            + " by "
            + last.get(0).author()
            + ": "
            + last.get(0).reason();
  }

  /** What cannot be decided without an entry of the history. */
  private static FleetRefusedException hanging(Writer.DamagedEntryException damaged) {
    return new FleetRefusedException(
        Reason.INVALID, damaged.getMessage() + "; this change hangs on what it says");
  }

  /** Nobody drops by mistake what a document had that cannot be read. */
  static Edit losingNothing(Edit edit) {
    return (now, manifest, version) -> {
      Edit.Outcome outcome = edit.apply(now, manifest, version);
      for (Refused each : losing(now, manifest, outcome.documents())) {
        throw new FleetRefusedException(Reason.INVALID, each.rule());
      }
      return outcome;
    };
  }

  private static List<Refused> losing(
      Map<FleetLayer, FleetDocument> now,
      Manifest manifest,
      Map<FleetLayer, FleetDocument> changed) {
    return changed.keySet().stream()
        .filter(layer -> Misfit.isOf(layer, now.keySet(), manifest))
        .sorted()
        .map(
            layer ->
                new Refused(
                    layer.toString(),
                    Misfit.leftOut(layer, manifest)
                        + "; what it sets is lost if it is written anew, which a change does only"
                        + " if that is asked for (--anew)"))
        .toList();
  }

  /** Other layers are checked together with the fleet's. */
  private static List<Refused> unseen(
      Map<FleetLayer, FleetDocument> now,
      Manifest manifest,
      Map<FleetLayer, FleetDocument> changed) {
    if (changed.isEmpty()
        || changed.containsKey(FleetLayer.FLEET)
        || !Misfit.isOf(FleetLayer.FLEET, now.keySet(), manifest)) {
      return List.of();
    }
    return List.of(
        new Refused(
            FleetLayer.FLEET.toString(),
            Misfit.leftOut(FleetLayer.FLEET, manifest)
                + ", and other layers are checked together with it: mend it first"));
  }

  private void refuseBad(
      Map<FleetLayer, FleetDocument> now,
      Manifest manifest,
      Map<FleetLayer, FleetDocument> changed) {
    for (Refused each : unseen(now, manifest, changed)) {
      throw new FleetRefusedException(Reason.INVALID, each.rule());
    }
    List<Refused> refused = Effects.refused(prefix, now, changed);
    if (!refused.isEmpty()) {
      StringBuilder words = new StringBuilder("instances would refuse");
      refused.forEach(
          each -> words.append("; ").append(each.key()).append(": ").append(each.rule()));
      throw new FleetRefusedException(Reason.INVALID, words.toString());
    }
  }

  DryRun dryRun(Edit edit, boolean checked, boolean anew) {
    Held held = FleetReader.readAll(store, Held.NOTHING);
    Map<FleetLayer, FleetDocument> now =
        Edits.current(held, new Spelling(prefix), store.nowMillis());
    Map<FleetLayer, FleetDocument> changed =
        edit.apply(now, held.manifest(), held.manifest().version() + 1).documents();
    List<Difference> differences = Edits.differences(now, changed);
    Map<FleetLayer, FleetDocument> after = new TreeMap<>(now);
    after.putAll(changed);
    List<Refused> losing = losing(now, held.manifest(), changed);
    List<Refused> refused = new ArrayList<>();
    List<String> effects = new ArrayList<>();
    if (anew) {
      losing.forEach(each -> effects.add(each.rule()));
    } else {
      refused.addAll(losing);
    }
    if (checked) {
      refused.addAll(unseen(now, held.manifest(), changed));
    }
    refused.addAll(Effects.refused(prefix, now, changed));
    effects.addAll(Effects.of(prefix, differences, after, members()));
    return new DryRun(held.manifest().version(), differences, refused, effects);
  }

  private static SortedMap<FleetLayer, FleetDocument> documents(Held held, Spelling spelling) {
    SortedMap<FleetLayer, FleetDocument> documents = new TreeMap<>();
    held.documents()
        .forEach(
            (layer, kept) -> {
              FleetDocument document = kept.document();
              documents.put(
                  layer,
                  new FleetDocument(
                      document.version(),
                      spelling.respelledWhereOnce(document.settings()),
                      document.canary(),
                      document.author(),
                      document.previous()));
            });
    return documents;
  }

  private static String checkReason(String reason) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("a change needs a reason");
    }
    return reason;
  }
}
