// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis.
 *
 * @param least its low end, above 0
 * @param most its high end
 */
record Scale(double least, double most) {

  /** From the least to the most of these; something wider than nothing. */
  static Scale of(List<Double> values) {
    double least = values.stream().mapToDouble(d -> d).min().orElse(1);
    double most = values.stream().mapToDouble(d -> d).max().orElse(10);
    return most > least ? new Scale(least, most) : new Scale(least / 2, most * 2);
  }

  /** Where on the axis, from 0 to 1. */
  double share(double value) {
    return Math.log(value / least) / Math.log(most / least);
  }

  /** 1, 2 and 5 times each power of ten on it; powers alone if these are many. */
  List<Double> ticks() {
    double[] steps = most / least > 1_000 ? new double[] {1} : new double[] {1, 2, 5};
    List<Double> ticks = new ArrayList<>();
    for (double power = Math.pow(10, Math.floor(Math.log10(least))); power <= most; power *= 10) {
      for (double step : steps) {
        if (power * step >= least && power * step <= most) {
          ticks.add(power * step);
        }
      }
    }
    return ticks;
  }
}
