// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.provider;

import dev.tenrec.field.thrift.process.GaugeReporter;
import java.util.List;

/** A provider in a JVM of its own. It ends with its standard input. */
public final class ProviderMain {

  private ProviderMain() {}

  /**
   * Runs it.
   *
   * @param arguments the port, or 0 for a free one; then none, or {@link ServerKind#arguments}
   */
  public static void main(String[] arguments) {
    GaugeReporter.quietThrift();
    GaugeReporter.run(
        "provider",
        () -> {
          List<String> kind = List.of(arguments).subList(1, arguments.length);
          Provider provider =
              Provider.open(
                  Integer.parseInt(arguments[0]),
                  kind.isEmpty() ? ServerKind.USUAL : ServerKind.of(kind));
          return new GaugeReporter.Program(provider.port(), provider::gauges, provider);
        });
  }
}
