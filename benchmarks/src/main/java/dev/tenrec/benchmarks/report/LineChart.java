// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Lines over a logarithmic scale, and usually by one, as an SVG of its own. */
final class LineChart {

  private static final int WIDTH = 860;
  private static final int HEIGHT = 480;
  private static final int LEFT = 90;
  private static final int RIGHT = 190;
  private static final int TOP = 50;
  private static final int BOTTOM = 60;

  /** Colours that readers without red or green vision can distinguish. */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555");

  private final String title;
  private final String acrossName;
  private final String upName;
  private final Map<String, SortedMap<Double, Double>> lines = new LinkedHashMap<>();
  private final StringBuilder svg = new StringBuilder();

  LineChart(String title, String acrossName, String upName) {
    this.title = title;
    this.acrossName = acrossName;
    this.upName = upName;
  }

  /** A point of a line, which begins with its first. Both have to be above 0. */
  void add(String line, double across, double up) {
    if (!(across > 0 && up > 0)) {
      throw new IllegalArgumentException(
          line + ": (" + across + ", " + up + ") cannot be drawn on logarithmic scales");
    }
    lines.computeIfAbsent(line, name -> new TreeMap<>()).put(across, up);
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /** The whole file. */
  String svg() {
    svg.setLength(0);
    svg.append(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                + "height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">%n",
            WIDTH, HEIGHT, WIDTH, HEIGHT));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    text(LEFT, 28, "start", title);
    text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 15, "middle", acrossName);
    svg.append(
        format(
            "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
            HEIGHT / 2, escaped(upName)));
    Scale across = Scale.of(points().stream().map(point -> point[0]).toList());
    Scale up = Scale.of(points().stream().map(point -> point[1]).toList());
    axes(across, up);
    int number = 0;
    for (Map.Entry<String, SortedMap<Double, Double>> line : lines.entrySet()) {
      line(line.getKey(), line.getValue(), across, up, number++);
    }
    return svg.append("</svg>\n").toString();
  }

  private List<double[]> points() {
    List<double[]> points = new ArrayList<>();
    lines
        .values()
        .forEach(line -> line.forEach((across, up) -> points.add(new double[] {across, up})));
    return points;
  }

  private void axes(Scale across, Scale up) {
    lines.values().stream()
        .flatMap(line -> line.keySet().stream())
        .distinct()
        .forEach(
            value -> {
              double x = x(across, value);
              rule(x, TOP, x, HEIGHT - BOTTOM);
              text(x, HEIGHT - BOTTOM + 20, "middle", number(value));
            });
    for (double value : up.ticks()) {
      double y = y(up, value);
      rule(LEFT, y, WIDTH - RIGHT, y);
      text(LEFT - 8, y + 4, "end", number(value));
    }
  }

  private void line(
      String name, SortedMap<Double, Double> points, Scale across, Scale up, int number) {
    String colour = COLOURS.get(number % COLOURS.size());
    StringBuilder path = new StringBuilder();
    points.forEach(
        (x, y) -> {
          path.append(format("%.1f,%.1f ", x(across, x), y(up, y)));
          svg.append(
              format(
                  "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n",
                  x(across, x), y(up, y), colour));
        });
    svg.append(
        format(
            "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
            path.toString().strip(), colour));
    int y = TOP + 10 + number * 22;
    int x = WIDTH - RIGHT + 20;
    svg.append(
        format("<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>%n", x, y, colour));
    text(x + 22, y + 6, "start", name);
  }

  private void rule(double x1, double y1, double x2, double y2) {
    svg.append(
        format(
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n",
            x1, y1, x2, y2));
  }

  private void text(double x, double y, String anchor, String text) {
    svg.append(
        format(
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            x, y, anchor, escaped(text)));
  }

  private static double x(Scale scale, double value) {
    return LEFT + scale.share(value) * (WIDTH - RIGHT - LEFT);
  }

  private static double y(Scale scale, double value) {
    return HEIGHT - BOTTOM - scale.share(value) * (HEIGHT - BOTTOM - TOP);
  }

  private static String number(double value) {
    return format(value < 10 && value != Math.rint(value) ? "%,.1f" : "%,.0f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern.replace("%n", "\n"), values);
  }
}
