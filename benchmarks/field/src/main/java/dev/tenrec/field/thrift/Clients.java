// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.ResultColumns;
import dev.tenrec.field.thrift.consumer.ClientTarget;
import dev.tenrec.field.thrift.provider.ServerKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One Thrift client for all threads, with and without a lock, against a pool of clients: what an
 * "out of sequence response" comes from, and what a lock costs.
 */
final class Clients extends DirectComparison<ClientTarget.Use> {

  /** The original's, of which a provider does thousands a second. */
  private static final int ADDITIONS = 10_000;

  private final DirectLoad load;

  Clients(DirectLoad load) {
    super("clients", List.of(ClientTarget.Use.values()));
    this.load = load;
  }

  @Override
  String title() {
    return String.format(
        Locale.ROOT,
        "%d threads in one process, no consumer between, closed model; %,d additions a call, 1 kB.",
        DirectLoad.THREADS,
        ADDITIONS);
  }

  @Override
  Columns<Map.Entry<ClientTarget.Use, Result>> columns() {
    return new Columns<Map.Entry<ClientTarget.Use, Result>>()
        .add("clients", one -> one.getKey().label())
        .addAll(
            Map.Entry::getValue,
            ResultColumns.SENT,
            ResultColumns.ANSWERED,
            ResultColumns.FAILED,
            new Columns<Result>().add("of these out of sequence", Clients::outOfSequence),
            ResultColumns.PER_SECOND)
        .addAll(one -> one.getValue().sinceSent(), Latency.mean(2), Latency.percentiles(2, 99));
  }

  @Override
  Result measure(ClientTarget.Use use, Progress progress) throws Exception {
    return load.measure(use, ServerKind.USUAL, ADDITIONS, progress);
  }

  @Override
  String label(ClientTarget.Use use) {
    return use.label();
  }

  private static long outOfSequence(Result result) {
    return result.failures().getOrDefault("IOException: " + ClientTarget.OUT_OF_SEQUENCE, 0L);
  }

  @Override
  void put(ClientTarget.Use use, Result result, Map<String, @Nullable Object> json) {
    json.put("clients", use.label());
    json.put("outOfSequence", outOfSequence(result));
  }
}
