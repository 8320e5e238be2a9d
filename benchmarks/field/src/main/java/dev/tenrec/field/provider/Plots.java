// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/** The sweep of threads and queue as plots, a line for each queue. */
final class Plots {

  /** What is shown upwards: in the file's name, at the axis, and of a point. */
  private record Quantity(String name, Axis axis, ToDoubleBiFunction<Measured, Method> value) {}

  private static final List<Quantity> QUANTITIES =
      List.of(
          new Quantity("answers", new Axis("answers/s", false), Measured::perSecond),
          new Quantity("refusals", new Axis("refusals/s", false), Measured::refusedPerSecond),
          new Quantity(
              "cpu",
              new Axis("% of all processors", false),
              (measured, method) -> measured.cpuPercent()),
          new Quantity("p99", new Axis("ms, p99", true), Measured::p99Millis));

  private Plots() {}

  /** By the names of their files. */
  static Map<String, Plot> of(List<Measured> measured) {
    Map<String, Plot> plots = new LinkedHashMap<>();
    for (Method method : Method.values()) {
      for (Quantity quantity : QUANTITIES) {
        plots.put(method.key() + "-" + quantity.name(), plot(measured, method, quantity));
      }
    }
    return plots;
  }

  private static Plot plot(List<Measured> measured, Method method, Quantity quantity) {
    Plot plot =
        new Plot(
            method.key() + ", " + Form.USERS + " users, closed model, fixed pools",
            new Axis("threads", true),
            quantity.axis());
    for (Measured one : measured) {
      if (one.point().part() == Part.SWEEP && one.point().users().containsKey(method)) {
        PoolSetting pool = one.point().shared();
        plot.add(
            pool.queue() == 0 ? "no queue" : "queue " + pool.queue(),
            pool.core(),
            quantity.value().applyAsDouble(one, method));
      }
    }
    return plot;
  }
}
