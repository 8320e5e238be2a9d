// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Driver;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.thrift.consumer.ClientTarget;
import dev.tenrec.field.thrift.process.GaugeReader;
import dev.tenrec.field.thrift.provider.ProviderMain;
import dev.tenrec.field.thrift.provider.ServerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ten threads that call a provider with no consumer between. Used by one thread. */
final class DirectLoad {

  static final int THREADS = 10;

  private static final int PAYLOAD_BYTES = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Form form;
  private final int port;
  private final Stop stop;

  /**
   * None yet.
   *
   * @param port where providers listen, or 0 for a free one
   */
  DirectLoad(Form form, int port, Stop stop) {
    this.form = form;
    this.port = port;
    this.stop = stop;
  }

  /** On a provider of its own, for what one client has sent may keep it busy for long. */
  Result measure(ClientTarget.Use use, ServerKind kind, int additions, Progress progress)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of(Integer.toString(port)));
    arguments.addAll(kind.arguments());
    try (GaugeReader provider =
        GaugeReader.start(
            "provider", Form.PROVIDER_HEAP_MEGABYTES, ProviderMain.class, arguments)) {
      provider.awaitListening();
      Result unused = drive(use, provider, additions, form.warmUpMillis(), progress);
      return drive(use, provider, additions, form.levelMillis(), progress);
    }
  }

  private Result drive(
      ClientTarget.Use use, GaugeReader provider, int additions, int millis, Progress progress)
      throws Exception {
    Plan plan = Plan.closed(Engines.POOL, THREADS, THREADS, Duration.ofMillis(millis), PATIENCE);
    Duration call = Duration.ofMillis(form.callMillis());
    try (ClientTarget target =
        new ClientTarget(use, provider.port(), additions, PAYLOAD_BYTES, call)) {
      return new Driver(plan, target, stop, progress).run();
    }
  }
}
