// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A shape of the original's results, and what it came to in this run: a row of a Markdown table.
 *
 * @param shape what the original saw, or what was wanted
 * @param original its figures; empty if it has none
 * @param ratio which figures of this run are to show it
 * @param expected what these should come to
 * @param here what they came to
 */
public record Shape(String shape, String original, String ratio, String expected, Ratio here) {

  private static final Columns<Shape> COLUMNS =
      new Columns<Shape>()
          .add("shape in the original", Shape::shape)
          .add("original", Shape::original)
          .add("ratio here", Shape::ratio)
          .add("expected", Shape::expected)
          .add("this run", row -> row.here().text());

  private static final Columns<Shape> OWN_COLUMNS =
      new Columns<Shape>()
          .add("shape", Shape::shape)
          .add("ratio here", Shape::ratio)
          .add("expected", Shape::expected)
          .add("this run", row -> row.here().text());

  /** One that no original has. */
  public static Shape own(String shape, String ratio, String expected, Ratio here) {
    return new Shape(shape, "", ratio, expected, here);
  }

  /** Prints those that no original has, as {@link #print} does. */
  public static void printOwn(List<Shape> shapes, PrintStream out) {
    if (shapes.stream().anyMatch(row -> row.here().isMeasured())) {
      shapes.forEach(OWN_COLUMNS.table(out, "What it came to:"));
    }
  }

  /** Prints them as a table, with a line before it; nothing if none of them was measured. */
  public static void print(List<Shape> shapes, PrintStream out) {
    if (shapes.stream().noneMatch(row -> row.here().isMeasured())) {
      return;
    }
    shapes.forEach(COLUMNS.table(out, "What the original's shapes came to:"));
  }

  /** It as a map, for a report. */
  public Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("shape", shape);
    json.put("original", original);
    json.put("ratio", ratio);
    json.put("expected", expected);
    json.put("thisRun", here.text());
    json.put("measured", here.isMeasured());
    json.put("values", here.values());
    return json;
  }
}
