// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * One axis of a plot.
 *
 * @param name what it shows, with the unit
 * @param logarithmic whether equal lengths are equal ratios
 */
public record Axis(String name, boolean logarithmic) {

  /** From the least to the most of some values, widened if that is nothing. */
  record Range(Axis axis, double least, double most) {

    /** Where a value lies, from 0 to 1. */
    double share(double value) {
      return axis.logarithmic
          ? Math.log(value / least) / Math.log(most / least)
          : (value - least) / (most - least);
    }

    /** Round values to be named: 1, 2 and 5 times powers of ten, or about five even steps. */
    List<Double> ticks() {
      double length = Math.pow(10, Math.floor(Math.log10(axis.logarithmic ? least : most - least)));
      List<Double> ticks = new ArrayList<>();
      if (axis.logarithmic) {
        for (; length <= most; length *= 10) {
          for (double step : most / least > 1_000 ? new double[] {1} : new double[] {1, 2, 5}) {
            add(ticks, length * step);
          }
        }
      } else {
        double step = (most - least) / length < 3 ? length / 2 : length;
        for (double tick = Math.ceil(least / step) * step; tick <= most; tick += step) {
          add(ticks, tick);
        }
      }
      return ticks;
    }

    private void add(List<Double> ticks, double tick) {
      if (tick >= least && tick <= most) {
        ticks.add(tick);
      }
    }
  }

  Range over(Collection<Double> values) {
    double least = values.stream().mapToDouble(value -> value).min().orElse(1);
    double most = values.stream().mapToDouble(value -> value).max().orElse(10);
    if (!logarithmic) {
      least = Math.min(0, least);
      return new Range(this, least, most > least ? most : least + 1);
    }
    return most > least ? new Range(this, least, most) : new Range(this, least / 2, most * 2);
  }
}
