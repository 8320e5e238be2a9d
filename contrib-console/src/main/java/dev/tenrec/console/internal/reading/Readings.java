// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import dev.tenrec.hystrix.stream.internal.feed.FeedSource;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.view.CircuitState;
import io.reactivex.rxjava3.disposables.Disposable;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the page's stream says: once all there is, then what has changed. Nothing is kept while
 * there is no client.
 */
public final class Readings implements FeedSource {

  /** Of the journal, for a page that has just come. */
  private static final int JOURNAL = 1_000;

  /** Of the journal in one reading. More happens where a thousand commands are in trouble. */
  private static final int FRESH = 250;

  private final Tenrec tenrec;
  private final InstantSource wallClock;
  private final Ticker ticker;
  private final Duration interval;
  private final boolean fleet;

  private final Table<CommandDetails> commands =
      new Table<>("commands", CommandDetails::key, new CommandFigures());
  private final Table<PoolDetails> pools = Kinds.pools();
  private final Table<SemaphoreDetails> semaphores = Kinds.semaphores();
  private final Table<RateLimiterDetails> rateLimiters = Kinds.rateLimiters();
  private final Table<RetryBudgetDetails> retryBudgets = Kinds.retryBudgets();
  private final Table<CollapserDetails> collapsers = Kinds.collapsers();
  private final List<Table<?>> tables =
      List.of(commands, pools, semaphores, rateLimiters, retryBudgets, collapsers);

  /** All below: of the feed's thread only. */
  private List<JournalEntry> journal = List.of();

  /** How the settings' source stands to its store, as JSON; empty if there is none. */
  private String source = "";

  /** Whether the last reading has failed. */
  private boolean failed;

  private long reading;
  private long atMillis;
  private long atNanos;

  /**
   * Of this Tenrec.
   *
   * @param interval from one reading to the next; the pages have it
   * @param fleet whether there is a fleet to look at; the pages have that, too
   */
  public Readings(
      Tenrec tenrec, InstantSource wallClock, Ticker ticker, Duration interval, boolean fleet) {
    this.tenrec = tenrec;
    this.wallClock = wallClock;
    this.ticker = ticker;
    this.interval = interval;
    this.fleet = fleet;
  }

  /** The command that the stream calls by this id. Any thread. */
  public Optional<CommandDetails> command(int id) {
    return Optional.ofNullable(commands.find(id));
  }

  @Override
  public Runnable begin(Runnable onEnd) {
    Disposable living = tenrec.journalStream().ignoreElements().subscribe(onEnd::run);
    return () -> {
      living.dispose();
      clear();
    };
  }

  private void clear() {
    tables.forEach(Table::clear);
    journal = List.of();
    source = "";
  }

  @Override
  public boolean readsChanges() {
    return true;
  }

  @Override
  public byte[] read() {
    try {
      byte[] changes = readChanges();
      if (!failed) {
        return changes;
      }
      failed = false;
      return whole(); // which the pages have not: their rows are of before the failure
    } catch (RuntimeException e) {
      failed = true;
      clear(); // half of it may be marked as sent
      throw e;
    }
  }

  private byte[] readChanges() {
    reading++;
    atMillis = wallClock.millis();
    atNanos = ticker.nanoTime();
    commands.read(tenrec.commands(), reading);
    pools.read(tenrec.pools(), reading);
    semaphores.read(tenrec.semaphores(), reading);
    rateLimiters.read(tenrec.rateLimiters(), reading);
    retryBudgets.read(tenrec.retryBudgets(), reading);
    collapsers.read(tenrec.collapsers(), reading);
    List<JournalEntry> before = journal;
    journal = tenrec.journal();
    String sourceBefore = source;
    source = tenrec.sourceStatus().map(Readings::source).orElse("");
    List<JournalEntry> fresh = fresh(before, journal);
    return event(
        json -> {
          for (Table<?> table : tables) {
            table.writeChanges(json);
          }
          if (!source.equals(sourceBefore)) {
            writeSource(json);
          }
          journal(json, fresh, FRESH);
        });
  }

  /**
   * What the reading before has not. A journal is of no one moment: an entry may be missing of
   * which a later one is there already, so that the numbers alone do not say what is new.
   *
   * @param before by their numbers, as {@code now}
   */
  static List<JournalEntry> fresh(List<JournalEntry> before, List<JournalEntry> now) {
    List<JournalEntry> fresh = new ArrayList<>();
    int at = 0;
    for (JournalEntry each : now) {
      while (at < before.size() && before.get(at).number() < each.number()) {
        at++;
      }
      if (at == before.size() || before.get(at).number() != each.number()) {
        fresh.add(each);
      }
    }
    return fresh;
  }

  @Override
  public byte[] whole() {
    return event(
        json -> {
          json.writeBooleanField("whole", true);
          json.writeNumberField("every", interval.toMillis());
          names(json, "events", EventType.values());
          names(json, "states", CircuitState.values());
          for (Table<?> table : tables) {
            table.writeAll(json);
          }
          json.writeBooleanField("fleet", fleet);
          writeSource(json);
          journal(json, journal, JOURNAL);
        });
  }

  private void writeSource(JsonGenerator json) throws IOException {
    if (!source.isEmpty()) {
      json.writeFieldName("source");
      json.writeRawValue(source);
    }
  }

  private static String source(SourceStatus status) {
    return Json.of(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("connected", status.connected());
          text(json, "instance", status.instance());
          text(json, "zone", status.zone());
          json.writeNumberField("version", status.version());
          json.writeBooleanField("fromLastGood", status.fromLastGood());
          text(json, "canary", status.canary());
          json.writeArrayFieldStart("alarms");
          for (String alarm : status.alarms()) {
            json.writeString(Json.cut(alarm, Story.LONGEST_TEXT));
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void text(JsonGenerator json, String name, @Nullable String text)
      throws IOException {
    if (text != null) {
      json.writeStringField(name, Json.cut(text, Story.LONGEST_TEXT));
    }
  }

  private static void names(JsonGenerator json, String name, Enum<?>[] values) throws IOException {
    json.writeArrayFieldStart(name);
    for (Enum<?> value : values) {
      json.writeString(value.name());
    }
    json.writeEndArray();
  }

  /** The last entries, and how many before them are left out. */
  private static void journal(JsonGenerator json, List<JournalEntry> entries, int most)
      throws IOException {
    if (entries.isEmpty()) {
      return;
    }
    int from = Math.max(0, entries.size() - most);
    if (from > 0) {
      json.writeNumberField("leftOut", from);
    }
    json.writeArrayFieldStart("journal");
    for (JournalEntry entry : entries.subList(from, entries.size())) {
      Story.entry(json, entry);
    }
    json.writeEndArray();
  }

  /** With both times: of the wall, for the axis, and one that never jumps, for rates. */
  private byte[] event(Json.Content content) {
    String event =
        Json.of(
            json -> {
              json.writeStartObject();
              json.writeNumberField("t", atMillis);
              json.writeNumberField("n", atNanos / 1_000_000);
              content.write(json);
              json.writeEndObject();
            });
    return ("data: " + event + "\n\n").getBytes(UTF_8);
  }
}
