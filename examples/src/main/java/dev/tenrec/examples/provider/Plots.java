// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.provider;

import dev.tenrec.examples.load.report.Axis;
import dev.tenrec.examples.load.report.Plot;
import dev.tenrec.examples.provider.Point.Part;
import dev.tenrec.examples.provider.service.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleBiFunction;

/** The sweep of threads and queue as plots, a line for each queue. */
final class Plots {

  /** What is shown upwards. */
  private enum Quantity {
    ANSWERS("answers/s", false, Measured::perSecond),
    REFUSALS("refusals/s", false, Measured::refusedPerSecond),
    CPU("% of all processors", false, (measured, method) -> measured.cpuPercent()),
    P99("ms, p99", true, (measured, method) -> measured.p99Millis(method));

    private final String axis;
    private final boolean logarithmic;
    private final ToDoubleBiFunction<Measured, Method> value;

    Quantity(String axis, boolean logarithmic, ToDoubleBiFunction<Measured, Method> value) {
      this.axis = axis;
      this.logarithmic = logarithmic;
      this.value = value;
    }
  }

  private Plots() {}

  static List<Path> write(List<Measured> measured, Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Method method : Method.values()) {
      for (Quantity quantity : Quantity.values()) {
        Path file =
            directory.resolve(
                "system4-"
                    + method.key()
                    + "-"
                    + quantity.name().toLowerCase(Locale.ROOT)
                    + ".svg");
        files.add(Files.writeString(file, plot(measured, method, quantity).svg()));
      }
    }
    return files;
  }

  private static Plot plot(List<Measured> measured, Method method, Quantity quantity) {
    Plot plot =
        new Plot(
            method.key() + ", " + Form.USERS + " users, closed model, fixed pools",
            new Axis("threads", true),
            new Axis(quantity.axis, quantity.logarithmic));
    for (Measured one : measured) {
      if (one.point().part() == Part.SWEEP && one.point().users().containsKey(method)) {
        PoolSetting pool = one.point().shared();
        plot.add(
            pool.queue() == 0 ? "no queue" : "queue " + pool.queue(),
            pool.core(),
            quantity.value.applyAsDouble(one, method));
      }
    }
    return plot;
  }
}
