// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A figure of the prose with its mark: {@code 0.60<!--= 2{load=surge; due/s=2236} answered ÷ 4
 * -->}. The mark names a system, or another page of the lab, a row of the page by some of the row's
 * cells, and a column, and {@code [2]} after it is the second number in the cell; it may divide,
 * multiply, add and subtract further cells or numbers, from left to right. A figure with a per cent
 * sign is compared with a hundred times that.
 *
 * @param text as the prose has it
 * @param percent whether a per cent sign follows
 * @param source the mark
 */
record Figure(String text, boolean percent, String source) {

  private static final Pattern MARKED =
      Pattern.compile("(\\d[\\d,]*(?:\\.\\d+)?)( %)?<!--= (.+?) -->");
  private static final Pattern CELL =
      Pattern.compile("(\\d|[a-z]+)\\{([^}]*)} (.+?)(?: \\[(\\d)])?");

  /** What a program prints above its tables. */
  private static final Pattern PROGRAMS = Pattern.compile("(?m)^JDK ");

  private static final Set<String> OPERATORS = Set.of("÷", "×", "+", "−");
  private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(?:\\.\\d+)?");

  static List<Figure> in(String page) {
    List<Figure> figures = new ArrayList<>();
    Matcher marked = MARKED.matcher(page);
    while (marked.find()) {
      figures.add(new Figure(marked.group(1), marked.group(2) != null, marked.group(3)));
    }
    return figures;
  }

  /**
   * The numbers of a page's prose that have no mark, in their order: without headings, code,
   * addresses, and what a program printed, which are all tables of a page that has such.
   */
  static List<String> unmarked(String page) {
    String printed = PROGRAMS.matcher(page).find() ? "\\||" : "";
    String prose =
        page.replaceAll("(?s)```.*?```", "")
            .replaceAll("(?s)\\n## The table\\n.*?(?=\\n## )", "")
            .replaceAll(MARKED.pattern(), "")
            .replaceAll("(?m)^(" + printed + "#|JDK ).*$", "")
            .replaceAll("`[^`]*`", "")
            .replaceAll("]\\([^)]*\\)", "]");
    return Pattern.compile("(?<![\\w.])" + NUMBER.pattern())
        .matcher(prose)
        .results()
        .map(number -> number.group().replaceAll(",$", ""))
        .toList();
  }

  /** What is wrong with it; empty if nothing is. */
  Optional<String> wrong(Path lab) {
    double value;
    try {
      value = value(lab) * (percent ? 100 : 1);
    } catch (IllegalArgumentException unknown) {
      return Optional.of(text + ": " + unknown.getMessage());
    }
    int places = text.contains(".") ? text.length() - text.indexOf('.') - 1 : 0;
    String rounded = String.format(Locale.ROOT, "%." + places + "f", value);
    return rounded.equals(text.replace(",", ""))
        ? Optional.empty()
        : Optional.of(text + " is " + rounded + " by " + source);
  }

  private double value(Path lab) {
    double value = 0;
    String operator = "";
    for (String word : source.split("(?<= [÷×+−]) | (?=[÷×+−] )")) {
      if (OPERATORS.contains(word)) {
        operator = word;
        continue;
      }
      double term = term(lab, word);
      value =
          switch (operator) {
            case "÷" -> value / term;
            case "×" -> value * term;
            case "+" -> value + term;
            case "−" -> value - term;
            default -> term;
          };
    }
    return value;
  }

  private static double term(Path lab, String word) {
    Matcher cell = CELL.matcher(word);
    if (!cell.matches()) {
      return Double.parseDouble(word);
    }
    Path page = page(lab, cell.group(1));
    Map<String, String> wanted = new LinkedHashMap<>();
    for (String pair : cell.group(2).split("; ")) {
      int equal = pair.indexOf('=');
      wanted.put(pair.substring(0, equal), pair.substring(equal + 1));
    }
    List<String> found = new ArrayList<>();
    for (Map<String, String> row : rows(page)) {
      if (row.containsKey(cell.group(3)) && row.entrySet().containsAll(wanted.entrySet())) {
        found.add(row.get(cell.group(3)));
      }
    }
    List<String> numbers =
        NUMBER
            .matcher(found.size() == 1 ? found.get(0) : "")
            .results()
            .map(MatchResult::group)
            .toList();
    int which = cell.group(4) == null ? 1 : Integer.parseInt(cell.group(4));
    if (numbers.size() < which) {
      throw new IllegalArgumentException(
          found.size() + " rows, expected one with a number, for " + word);
    }
    return Double.parseDouble(numbers.get(which - 1).replace(",", ""));
  }

  private static Path page(Path lab, String name) {
    return Character.isDigit(name.charAt(0))
        ? lab.resolve("field-systems").resolve("system-" + name + ".md")
        : lab.resolve(name + ".md");
  }

  /** Of all tables of a page, each by the names of its columns. */
  private static List<Map<String, String>> rows(Path page) {
    List<Map<String, String>> rows = new ArrayList<>();
    List<String> head = List.of();
    try {
      for (String line : Files.readAllLines(page)) {
        List<String> cells = cells(line);
        if (cells.isEmpty()) {
          head = List.of();
        } else if (head.isEmpty()) {
          head = cells;
        } else if (!cells.get(0).startsWith("---")) {
          Map<String, String> row = new LinkedHashMap<>();
          for (int i = 0; i < Math.min(head.size(), cells.size()); i++) {
            row.put(head.get(i), cells.get(i));
          }
          rows.add(row);
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return rows;
  }

  private static List<String> cells(String line) {
    if (!line.startsWith("|")) {
      return List.of();
    }
    List<String> cells = new ArrayList<>();
    for (String cell : line.substring(1).split("\\|")) {
      cells.add(cell.strip());
    }
    return cells;
  }
}
