// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Report;
import dev.tenrec.field.load.Result;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A direct load with one thing after the other in its place.
 *
 * @param <K> what is compared
 */
abstract class DirectComparison<K> {

  private final String name;
  private final List<K> all;
  private final Map<K, Result> results = new LinkedHashMap<>();

  /**
   * None measured yet.
   *
   * @param name of the things, in the files
   */
  DirectComparison(String name, List<K> all) {
    this.name = name;
    this.all = all;
  }

  abstract String title();

  abstract Columns<Map.Entry<K, Result>> columns();

  abstract Result measure(K one, Progress progress) throws Exception;

  abstract String label(K one);

  abstract void put(K one, Result result, Map<String, @Nullable Object> json);

  /** Answers in a second of the first; 0 if it had none. */
  final double firstPerSecond() {
    return results.values().iterator().next().perSecond();
  }

  /** Tries each. */
  final ReportWriter run(Stop stop, PrintStream out) throws InterruptedException {
    out.println(title());
    out.println();
    Consumer<Map.Entry<K, Result>> table = columns().table(out);
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (Progress progress = Progress.on(out)) {
                progress.each(
                    all,
                    stop,
                    one -> measure(one, progress),
                    (one, result) -> {
                      results.put(one, result);
                      table.accept(Map.entry(one, result));
                    });
              }
            });
    return new Comparison(ending);
  }

  private List<String> differences() {
    Reconciliation found = new Reconciliation();
    results.forEach((one, result) -> result.counts().reconcile(label(one) + ": ", found));
    return found.differences();
  }

  private final class Comparison extends ReportWriter {

    Comparison(Ending ending) {
      super("system2-" + name, results.size(), all.size(), differences(), ending);
    }

    @Override
    protected void print(PrintStream out) {
      verdict(out, name, "all calls of the driver", List.of());
    }

    @Override
    protected List<String> summary() {
      return results.entrySet().stream()
          .map(
              one ->
                  String.format(
                      Locale.ROOT,
                      "%s: %.0f answers/s",
                      label(one.getKey()),
                      one.getValue().perSecond()))
          .toList();
    }

    @Override
    protected void fill() {
      put(
          name,
          results.entrySet().stream().map(one -> json(one.getKey(), one.getValue())).toList());
    }

    private Map<String, @Nullable Object> json(K one, Result result) {
      Map<String, @Nullable Object> json = new LinkedHashMap<>();
      DirectComparison.this.put(one, result, json);
      json.put("driver", new Report(result).json());
      return json;
    }
  }
}
