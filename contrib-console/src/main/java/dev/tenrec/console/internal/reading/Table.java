// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All things of one kind, and what has changed of them since the last reading. A thing that was
 * removed and built anew is another row. Of the feed's thread only, but for {@link #find}.
 *
 * @param <V> the kind of view
 */
final class Table<V> {

  private final String kind;
  private final Function<V, String> keyOf;
  private final Figures<V> figures;
  private final Map<String, Row<V>> rows = new LinkedHashMap<>();

  /** Written by the feed's thread, read by any. */
  private final Map<Integer, V> byId = new ConcurrentHashMap<>();

  /** Goes on when all rows are gone, so that no id is ever that of two things. */
  private int lastId;

  private final List<String> names = new ArrayList<>();
  private final List<String> changed = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();
  private final List<Integer> gone = new ArrayList<>();

  /** Reads one thing. Each part is JSON: an array that begins with the id. */
  interface Figures<V> {

    /** What hardly ever changes. */
    String name(int id, V view);

    /** What has {@link #name} sent anew when it is another; null if there is nothing. */
    default @Nullable String beside(V view) {
      return null;
    }

    /** What is compared with the reading before. */
    String now(int id, V view);

    /** Why it is as it is; null if there is nothing to say. */
    default @Nullable String why(int id, V view) {
      return null;
    }
  }

  Table(String kind, Function<V, String> keyOf, Figures<V> figures) {
    this.kind = kind;
    this.keyOf = keyOf;
    this.figures = figures;
  }

  /** The thing of this id; null if it has gone, or nothing has been read yet. */
  @Nullable V find(int id) {
    return byId.get(id);
  }

  /** Takes a reading of these, and keeps what has changed. */
  void read(List<V> views, long reading) {
    names.clear();
    changed.clear();
    reasons.clear();
    gone.clear();
    for (V view : views) {
      read(view, reading);
    }
    for (Iterator<Row<V>> each = rows.values().iterator(); each.hasNext(); ) {
      Row<V> row = each.next();
      if (row.seen != reading) {
        each.remove();
        remove(row);
      }
    }
  }

  private void read(V view, long reading) {
    String key = keyOf.apply(view);
    Row<V> row = rows.get(key);
    if (row == null || row.view != view) {
      if (row != null) {
        remove(row);
      }
      int id = ++lastId;
      row = new Row<>(id, view, figures.name(id, view));
      rows.put(key, row);
      row.beside = figures.beside(view);
      byId.put(id, view);
      names.add(row.name);
    } else if (!Objects.equals(figures.beside(view), row.beside)) {
      row.beside = figures.beside(view);
      row.name = figures.name(row.id, view);
      names.add(row.name);
    }
    row.seen = reading;
    String now = figures.now(row.id, view);
    if (!now.equals(row.figures)) {
      row.figures = now;
      changed.add(now);
    }
    String why = figures.why(row.id, view);
    if (!Objects.equals(why, row.why)) {
      row.why = why;
      reasons.add(why == null ? "[" + row.id + "]" : why);
    }
  }

  private void remove(Row<V> row) {
    byId.remove(row.id);
    gone.add(row.id);
  }

  boolean hasChanged() {
    return !(names.isEmpty() && changed.isEmpty() && reasons.isEmpty() && gone.isEmpty());
  }

  /** What the last reading found, by the name of this kind. */
  void writeChanges(JsonGenerator json) throws IOException {
    if (!hasChanged()) {
      return;
    }
    json.writeObjectFieldStart(kind);
    raw(json, "names", names);
    raw(json, "rows", changed);
    raw(json, "why", reasons);
    if (!gone.isEmpty()) {
      json.writeArrayFieldStart("gone");
      for (int id : gone) {
        json.writeNumber(id);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** All there is, in the same form. */
  void writeAll(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart(kind);
    raw(json, "names", rows.values().stream().map(row -> row.name).toList());
    raw(json, "rows", rows.values().stream().map(row -> row.figures).toList());
    raw(json, "why", rows.values().stream().map(row -> row.why).filter(Objects::nonNull).toList());
    json.writeEndObject();
  }

  private static void raw(JsonGenerator json, String name, List<String> values) throws IOException {
    if (values.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeRawValue(value);
    }
    json.writeEndArray();
  }

  /** Has the next reading find all anew. */
  void clear() {
    rows.clear();
    byId.clear();
    names.clear();
    changed.clear();
    reasons.clear();
    gone.clear();
  }
}
