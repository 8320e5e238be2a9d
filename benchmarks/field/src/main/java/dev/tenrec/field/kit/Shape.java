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

  /** Prints them as a table, with a line before it; nothing if none of them was measured. */
  public static void print(List<Shape> shapes, PrintStream out) {
    if (shapes.stream().noneMatch(row -> row.here().isMeasured())) {
      return;
    }
    out.println();
    out.println("What the original's shapes came to:");
    out.println();
    MarkdownTable table =
        new MarkdownTable(
            out, "shape in the original | original | ratio here | expected | this run");
    for (Shape row : shapes) {
      table.row(
          String.join(
              " | ", row.shape(), row.original(), row.ratio(), row.expected(), row.here().text()));
    }
  }

  /** It as a map, for a report. */
  public Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("shape", shape);
    told.put("original", original);
    told.put("ratio", ratio);
    told.put("expected", expected);
    told.put("thisRun", here.text());
    told.put("measured", here.isMeasured());
    told.put("values", here.values());
    return told;
  }
}
