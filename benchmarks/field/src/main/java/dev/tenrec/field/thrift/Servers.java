// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.ResultColumns;
import dev.tenrec.field.thrift.consumer.ClientTarget;
import dev.tenrec.field.thrift.provider.ServerKind;
import dev.tenrec.field.thrift.provider.ServerKind.Model;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The same load on a provider with other numbers of threads, and on the library's other servers.
 */
final class Servers extends DirectComparison<ServerKind> {

  /** The usual one first. A worker for each connection needs as many as there are. */
  private static final List<ServerKind> KINDS =
      List.of(
          ServerKind.USUAL,
          new ServerKind(Model.SELECTORS, 1, 4),
          new ServerKind(Model.SELECTORS, 8, 4),
          new ServerKind(Model.SELECTORS, 2, 1),
          new ServerKind(Model.SELECTORS, 2, 2),
          new ServerKind(Model.SELECTORS, 2, 16),
          new ServerKind(Model.SELECTORS, 2, 200),
          new ServerKind(Model.ONE_SELECTOR, 1, 4),
          new ServerKind(Model.CONNECTIONS, 0, DirectLoad.THREADS));

  /** One of each model. */
  private static final List<ServerKind> FEW = List.of(KINDS.get(0), KINDS.get(7), KINDS.get(8));

  private final DirectLoad load;
  private final int additions;

  Servers(DirectLoad load, Form form) {
    super("servers", form.equals(Form.SHORT) ? FEW : KINDS);
    this.load = load;
    this.additions = form.additions();
  }

  @Override
  String title() {
    return String.format(
        Locale.ROOT,
        "%d threads with a client each, no consumer between, closed model; %,d additions a call,"
            + " 1 kB.",
        DirectLoad.THREADS,
        additions);
  }

  @Override
  Columns<Map.Entry<ServerKind, Result>> columns() {
    return new Columns<Map.Entry<ServerKind, Result>>()
        .add("server", one -> one.getKey().model().label())
        .add("selectors", one -> one.getKey().selectors() == 0 ? null : one.getKey().selectors())
        .add("workers", one -> one.getKey().workers())
        .addAll(
            Map.Entry::getValue,
            ResultColumns.USERS_THERE,
            ResultColumns.ANSWERED,
            ResultColumns.FAILED,
            ResultColumns.PER_SECOND)
        .add(
            "of the first",
            "%.2f",
            one -> firstPerSecond() == 0 ? null : one.getValue().perSecond() / firstPerSecond())
        .addAll(one -> one.getValue().sinceSent(), Latency.mean(2), Latency.percentiles(2, 99));
  }

  @Override
  Result measure(ServerKind kind, Progress progress) throws Exception {
    return load.measure(ClientTarget.Use.POOLED, kind, additions, progress);
  }

  @Override
  String label(ServerKind kind) {
    return kind.toString();
  }

  @Override
  void put(ServerKind kind, Result result, Map<String, @Nullable Object> json) {
    json.put("server", kind.model().label());
    json.put("selectors", kind.selectors());
    json.put("workers", kind.workers());
  }
}
