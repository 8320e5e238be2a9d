// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lines as an SVG. Not thread-safe. */
public final class Plot {

  private static final int WIDTH = 860;
  private static final int HEIGHT = 460;
  private static final int LEFT = 90;
  private static final int RIGHT = WIDTH - 210;
  private static final int TOP = 50;
  private static final int BOTTOM = HEIGHT - 60;

  /** Colours that readers without red or green vision can distinguish. */
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#000000");

  private final String title;
  private final Axis across;
  private final Axis up;
  private final Map<String, List<double[]>> lines = new LinkedHashMap<>();
  private Formatter svg = new Formatter(Locale.ROOT);

  /** An empty one. */
  public Plot(String title, Axis across, Axis up) {
    this.title = title;
    this.across = across;
    this.up = up;
  }

  /**
   * Adds a point to the line of this name, which begins with its first. Left out if a logarithmic
   * axis cannot show it.
   */
  public void add(String line, double x, double y) {
    if ((x > 0 || !across.logarithmic()) && (y > 0 || !up.logarithmic())) {
      lines.computeIfAbsent(line, first -> new ArrayList<>()).add(new double[] {x, y});
    }
  }

  /** Whether there is no point to show. */
  public boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Wide enough for the longest name beside the plot. */
  private int width() {
    int longest = lines.keySet().stream().mapToInt(String::length).max().orElse(0);
    return Math.max(WIDTH, RIGHT + 42 + 8 * longest);
  }

  /** The whole file. */
  public String svg() {
    svg = new Formatter(Locale.ROOT);
    svg.format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"13\">\n",
        width(), HEIGHT);
    svg.format("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
    text(LEFT, 28, "start", title);
    text((LEFT + RIGHT) / 2.0, HEIGHT - 15, "middle", across.name());
    svg.format(
        "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
        (TOP + BOTTOM) / 2, escaped(up.name()));
    Axis.Range acrossRange = across.over(values(0));
    Axis.Range upRange = up.over(values(1));
    for (double tick : acrossRange.ticks()) {
      double x = x(acrossRange, tick);
      rule(x, TOP, x, BOTTOM);
      text(x, BOTTOM + 20, "middle", number(tick));
    }
    for (double tick : upRange.ticks()) {
      double y = y(upRange, tick);
      rule(LEFT, y, RIGHT, y);
      text(LEFT - 8, y + 4, "end", number(tick));
    }
    int number = 0;
    for (Map.Entry<String, List<double[]>> line : lines.entrySet()) {
      line(line.getKey(), line.getValue(), acrossRange, upRange, number++);
    }
    svg.format("</svg>\n");
    return svg.toString();
  }

  private List<Double> values(int coordinate) {
    return lines.values().stream().flatMap(List::stream).map(point -> point[coordinate]).toList();
  }

  private void line(
      String name, List<double[]> points, Axis.Range acrossRange, Axis.Range upRange, int number) {
    String colour = COLOURS.get(number % COLOURS.size());
    StringBuilder path = new StringBuilder();
    for (double[] point : points) {
      double x = x(acrossRange, point[0]);
      double y = y(upRange, point[1]);
      path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      svg.format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x, y, colour);
    }
    svg.format(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n",
        path.toString().strip(), colour);
    int y = TOP + 10 + number * 22;
    svg.format(
        "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>\n", RIGHT + 20, y, colour);
    text(RIGHT + 42, y + 6, "start", name);
  }

  private void rule(double x1, double y1, double x2, double y2) {
    svg.format(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n",
        x1, y1, x2, y2);
  }

  private void text(double x, double y, String anchor, String text) {
    svg.format(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escaped(text));
  }

  private static double x(Axis.Range range, double value) {
    return LEFT + range.share(value) * (RIGHT - LEFT);
  }

  private static double y(Axis.Range range, double value) {
    return BOTTOM - range.share(value) * (BOTTOM - TOP);
  }

  private static String number(double value) {
    boolean whole = value >= 10 || value == Math.rint(value);
    return String.format(Locale.ROOT, whole ? "%,.0f" : "%,.2f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
