// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.Difference;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.StaleWriteException;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.fleet.store.Stored;
import dev.tenrec.fleet.store.Transaction;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes changes: the documents, the manifest and the history's entry in one transaction. */
public final class Writer {

  /** The largest document: stores want small ones, and every instance reads it. */
  public static final int MOST_BYTES = 256 * 1024;

  /** The largest change with its entry in the history: ZooKeeper takes 1 MB at once. */
  private static final int MOST_BYTES_TOGETHER = 900 * 1024;

  /** How many changes the history keeps. */
  public static final int MOST_CHANGES = 1_000;

  /** Others may write at the same time, or the store be lost and found. */
  private static final int ATTEMPTS = 20;

  /** The most that a writer waits the first time that another came first; doubled each time. */
  private static final long STAND_BACK_NANOS = 1_000_000;

  /** How often it is doubled: the waits between 20 attempts take some 1.5 s together. */
  private static final int MOST_DOUBLINGS = 8;

  private Writer() {}

  /** A document is too large. */
  public static final class TooLargeException extends StoreException {

    private static final long serialVersionUID = 1L;

    TooLargeException(String message) {
      super(message);
    }
  }

  /** Another change has the id. */
  public static final class IdTakenException extends StoreException {

    private static final long serialVersionUID = 1L;

    IdTakenException(String message) {
      super(message);
    }
  }

  /** An entry of the history cannot be read. */
  public static final class DamagedEntryException extends StoreException {

    private static final long serialVersionUID = 1L;

    DamagedEntryException(String message) {
      super(message);
    }
  }

  /**
   * What is written.
   *
   * @param kind what it is
   * @param author as whom the store has authenticated the session
   * @param reason why
   * @param id unique id of this change
   * @param again whether it may have been written before, by a process that had no answer
   * @param expected the version it is based on; null for any
   * @param spelling of its keys, and of those that are there
   * @param edit makes it
   */
  public record Order(
      String kind,
      String author,
      String reason,
      String id,
      boolean again,
      @Nullable Long expected,
      Spelling spelling,
      Edit edit) {}

  /**
   * Writes it once, whatever becomes of the connection meanwhile.
   *
   * @throws StaleWriteException if there is another version than expected
   * @throws TooLargeException if a document would be too large
   * @throws IdTakenException if a change by somebody else, or of another kind, has its id
   * @throws DamagedEntryException if the history's entry of its id cannot be read
   * @throws StoreUnavailableException if the store cannot be reached; whether it was written is
   *     found out by writing it again with the same id
   */
  public static Change write(FleetStore store, Order order) {
    Held held = Held.NOTHING;
    StoreException last = null;
    boolean unsure = order.again();
    for (int i = 0; i < ATTEMPTS; i++) {
      if (last instanceof StaleWriteException) {
        standBack(i);
      }
      try {
        Change done = unsure ? find(store, order) : null;
        if (done != null) {
          return done;
        }
        held = FleetReader.readAll(store, held);
        return commit(store, order, held);
      } catch (StaleWriteException stale) { // this attempt wrote nothing
        if (order.expected() != null) {
          return writtenOr(stale, unsure, store, order);
        }
        last = stale;
      } catch (StoreUnavailableException lost) {
        unsure = true;
        last = lost;
      } catch (StoreException failed) {
        throw failed;
      } catch (RuntimeException refused) { // by the edit, perhaps because it was made already
        return writtenOr(refused, unsure, store, order);
      }
    }
    StoreException end = last == null ? new StoreUnavailableException("not written") : last;
    if (end instanceof StaleWriteException) {
      StaleWriteException outrun =
          new StaleWriteException(
              "other changes came first, "
                  + ATTEMPTS
                  + " times; the last time: "
                  + end.getMessage());
      return writtenOr(outrun, unsure, store, order);
    }
    throw end;
  }

  /**
   * Waits for a random time. A writer that reads again at once would meet the same rival at the
   * same point of its next change, and lose to it each time. An interrupt ends the wait and stays
   * set.
   *
   * <p>Source: exponential back-off with full jitter, Marc Brooker, "Exponential Backoff And
   * Jitter", AWS Architecture Blog, 2015.
   *
   * @param attempts how many have been made, 1 or more
   */
  private static void standBack(int attempts) {
    long most = STAND_BACK_NANOS << Math.min(attempts - 1, MOST_DOUBLINGS);
    long nanos = ThreadLocalRandom.current().nextLong(most);
    Waiter.system().awaitUntil(Ticker.system().nanoTime() + nanos);
  }

  /** It may have come to the store by another way while this one was on its own. */
  private static Change writtenOr(
      RuntimeException refused, boolean unsure, FleetStore store, Order order) {
    Change done = unsure ? find(store, order) : null;
    if (done == null) {
      throw refused;
    }
    return done;
  }

  private static Change commit(FleetStore store, Order order, Held held) {
    Manifest before = held.manifest();
    Stored head = store.read(Names.HEAD);
    long revision = head == null ? Transaction.ABSENT : head.revision();
    Manifest again =
        head == null ? Manifest.EMPTY : Json.read("the manifest", head.text(), Manifest.class);
    if (again.version() != before.version()) {
      throw new StaleWriteException("another change came first: version " + again.version());
    }
    if (order.expected() != null && order.expected() != before.version()) {
      throw new StaleWriteException(
          "the settings have version " + before.version() + ", expected was " + order.expected());
    }
    long version = before.version() + 1;
    Map<FleetLayer, FleetDocument> current =
        Edits.current(held, order.spelling(), Edits.hasLimits(held) ? store.nowMillis() : 0);
    Edit.Outcome outcome = order.edit().apply(current, before, version);
    Map<FleetLayer, FleetDocument> signed = new HashMap<>();
    outcome
        .documents()
        .forEach(
            (layer, document) ->
                signed.put(
                    layer,
                    Edits.signed(
                        current.getOrDefault(layer, leftOut(layer, before)),
                        document,
                        version,
                        order.author())));
    List<Difference> differences = Edits.differences(current, signed);
    String reason = order.reason() + anew(signed.keySet(), current.keySet(), before);
    Change change =
        new Change(
            version,
            order.id(),
            order.kind(),
            order.author(),
            reason,
            0,
            begun(outcome, version),
            differences);
    Map<String, String> puts = new HashMap<>();
    Map<String, Long> layers = new HashMap<>(before.layers());
    signed.forEach(
        (layer, document) -> {
          puts.put(Names.of(layer), text(layer, document));
          layers.put(layer.toString(), version);
        });
    String lineage = before.version() == 0 ? UUID.randomUUID().toString() : before.lineage();
    puts.put(
        Names.HEAD,
        Json.write(
            new Manifest(version, lineage, layers, outcome.frozen(), order.author(), reason)));
    puts.put(Names.history(version), Json.write(change));
    puts.put(Names.id(order.id()), String.valueOf(version));
    checkSize(puts);
    Set<String> deletes = forgotten(store, version - MOST_CHANGES);
    deletes.removeAll(puts.keySet());
    store.commit(new Transaction(Names.HEAD, revision, puts, deletes));
    Stored written = store.read(Names.history(version));
    return change.at(written == null ? 0 : written.writtenMillis());
  }

  /** What is known of a document that does not fit, or was never written: its version. */
  private static FleetDocument leftOut(FleetLayer layer, Manifest manifest) {
    return new FleetDocument(manifest.of(layer), Map.of(), null);
  }

  /** Differences cannot say that what a document had is lost, for nobody can read it. */
  private static String anew(Set<FleetLayer> written, Set<FleetLayer> read, Manifest manifest) {
    String layers =
        written.stream()
            .filter(layer -> Misfit.isOf(layer, read, manifest))
            .sorted()
            .map(FleetLayer::toString)
            .collect(Collectors.joining(", "));
    return layers.isEmpty() ? "" : " (written anew, what it had is lost: " + layers + ")";
  }

  /** What there is of a change that the history keeps no longer. */
  private static Set<String> forgotten(FleetStore store, long version) {
    Set<String> names = new HashSet<>();
    Stored entry = version > 0 ? store.read(Names.history(version)) : null;
    if (entry != null) {
      names.add(Names.history(version));
      try {
        names.add(Names.id(change(version, entry).id()));
      } catch (DamagedEntryException damaged) {
        return names; // its id stays, and leads nowhere
      }
    }
    return names;
  }

  /**
   * What an entry of the history says.
   *
   * @throws DamagedEntryException if it cannot be read, or lacks what every change has
   */
  public static Change change(Object name, Stored entry) {
    String what = "the history's entry " + name;
    Change change;
    try {
      change = Json.read(what, entry.text(), Change.class);
    } catch (StoreException bad) {
      throw new DamagedEntryException(Objects.requireNonNullElse(bad.getMessage(), what));
    }
    boolean isWhole =
        Stream.of(change.id(), change.kind(), change.author(), change.reason())
                .allMatch(Objects::nonNull)
            && change.differences().stream()
                .allMatch(each -> each.layer() != null && each.key() != null);
    if (!isWhole) {
      throw new DamagedEntryException(what + " cannot be read: it lacks what every change has");
    }
    return change.at(entry.writtenMillis());
  }

  private static String text(FleetLayer layer, FleetDocument document) {
    String text = Json.write(document);
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      throw new TooLargeException(
          "the document " + layer + " would have " + bytes + " bytes, and may have " + MOST_BYTES);
    }
    return text;
  }

  private static @Nullable Canary begun(Edit.Outcome outcome, long version) {
    Canary canary =
        outcome.documents().getOrDefault(FleetLayer.CANARY, FleetDocument.EMPTY).canary();
    return canary != null && canary.id() == version ? canary : null;
  }

  private static void checkSize(Map<String, String> puts) {
    long bytes = 0;
    for (String text : puts.values()) {
      bytes += text.getBytes(StandardCharsets.UTF_8).length;
    }
    if (bytes > MOST_BYTES_TOGETHER) {
      throw new TooLargeException(
          "the change would write "
              + bytes
              + " bytes, and may write "
              + MOST_BYTES_TOGETHER
              + ": make it in several");
    }
  }

  /** The change that has the id, as long as the history keeps it. */
  private static @Nullable Change find(FleetStore store, Order order) {
    Stored known = store.read(Names.id(order.id()));
    long version = known == null ? 0 : Json.read("the version of an id", known.text(), Long.class);
    Stored entry = known == null ? null : store.read(Names.history(version));
    if (entry == null) { // or it was just cut off
      return null;
    }
    Change change = change(version, entry);
    if (change.author().equals(order.author()) && change.kind().equals(order.kind())) {
      return change;
    }
    throw new IdTakenException(
        "the id "
            + order.id()
            + " is that of version "
            + change.version()
            + ", a "
            + change.kind()
            + " by "
            + change.author()
            + ": give this "
            + order.kind()
            + " another");
  }

  /** The last changes, the latest first. One that cannot be read has a stand-in that says so. */
  public static List<Change> history(FleetStore store, int most) {
    if (most < 0) {
      throw new IllegalArgumentException("most: " + most + ", expected 0 or more");
    }
    List<String> names = new ArrayList<>(store.names(Names.HISTORY));
    names.sort(Comparator.reverseOrder());
    return read(store, names.subList(0, Math.min(most, names.size())), Writer::changeOrDamaged);
  }

  private static Change changeOrDamaged(String name, Stored entry) {
    try {
      return change(name, entry);
    } catch (DamagedEntryException damaged) {
      String words = Objects.requireNonNullElse(damaged.getMessage(), damaged.toString());
      return new Change(
          version(name), "", "damaged", "", words, entry.writtenMillis(), null, List.of());
    }
  }

  private static long version(String name) {
    try {
      return Long.parseLong(name);
    } catch (NumberFormatException byHand) {
      return 0;
    }
  }

  /**
   * The changes after a version, the latest first.
   *
   * @throws DamagedEntryException if one of them cannot be read
   */
  public static List<Change> historyAfter(FleetStore store, long version) {
    String last = Names.history(version);
    return read(
        store,
        store.names(Names.HISTORY).stream()
            .filter(name -> (Names.HISTORY + "/" + name).compareTo(last) > 0)
            .sorted(Comparator.reverseOrder())
            .toList(),
        Writer::change);
  }

  private static List<Change> read(
      FleetStore store, List<String> names, BiFunction<String, Stored, Change> change) {
    List<@Nullable Stored> entries =
        store.readAll(names.stream().map(name -> Names.HISTORY + "/" + name).toList());
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Stored entry = entries.get(i);
      if (entry != null) { // or it was just cut off
        changes.add(change.apply(names.get(i), entry));
      }
    }
    return changes;
  }
}
