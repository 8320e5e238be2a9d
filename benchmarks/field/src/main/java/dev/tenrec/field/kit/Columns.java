// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a Markdown table, each with what its cells show of a row. Not thread-safe while
 * columns are added.
 *
 * @param <R> a row, or a part of it
 */
public final class Columns<R> {

  private record Column<R>(String name, Function<? super R, String> cell) {}

  private final List<Column<R>> columns = new ArrayList<>();

  /** Adds a column that shows a value as it is; a dash for null. */
  public Columns<R> add(String name, Function<? super R, ? extends @Nullable Object> value) {
    return add(name, "%s", value);
  }

  /**
   * Adds a column of formatted values; a dash where one of them is null.
   *
   * @param format of the values, in their order
   */
  @SafeVarargs
  public final Columns<R> add(
      String name, String format, Function<? super R, ? extends @Nullable Object>... values) {
    List<Function<? super R, ? extends @Nullable Object>> all = new ArrayList<>();
    for (Function<? super R, ? extends @Nullable Object> value : values) {
      all.add(value);
    }
    columns.add(new Column<>(name, row -> cell(format, row, all)));
    return this;
  }

  private static <R> String cell(
      String format, R row, List<Function<? super R, ? extends @Nullable Object>> values) {
    List<Object> found = new ArrayList<>();
    for (Function<? super R, ? extends @Nullable Object> value : values) {
      Object one = value.apply(row);
      if (one == null) {
        return "-";
      }
      found.add(one);
    }
    return String.format(Locale.ROOT, format, found.toArray());
  }

  /** Adds all columns of a part of the row; dashes where the row has no such part. */
  @SafeVarargs
  public final <P> Columns<R> addAll(
      Function<? super R, ? extends @Nullable P> part, Columns<P>... others) {
    for (Columns<P> some : others) {
      for (Column<P> other : some.columns) {
        columns.add(new Column<>(other.name(), row -> cell(other, part.apply(row))));
      }
    }
    return this;
  }

  private static <P> String cell(Column<P> column, @Nullable P part) {
    return part == null ? "-" : column.cell().apply(part);
  }

  /** Prints the head of a table, and answers with what prints a row of it, at once. */
  public Consumer<R> table(PrintStream out) {
    print(out, columns.stream().map(Column::name));
    out.println("|" + "---|".repeat(columns.size()));
    return row -> print(out, columns.stream().map(column -> column.cell().apply(row)));
  }

  /** Prints a line before a table, a title if there is one, and the table's head. */
  public Consumer<R> table(PrintStream out, String title) {
    out.println();
    if (!title.isEmpty()) {
      out.println(title);
      out.println();
    }
    return table(out);
  }

  private static void print(PrintStream out, Stream<String> cells) {
    out.println(cells.collect(Collectors.joining(" | ", "| ", " |")));
    out.flush();
  }
}
