// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.provider;

import dev.tenrec.field.thrift.process.Teller;

/** A provider in a JVM of its own. It ends with its standard input. */
public final class ProviderMain {

  private ProviderMain() {}

  /**
   * Runs it.
   *
   * @param arguments the port, or 0 for a free one
   */
  public static void main(String[] arguments) {
    Teller.quietThrift();
    Teller.run(
        "provider",
        () -> {
          Provider provider = Provider.open(Integer.parseInt(arguments[0]));
          return new Teller.Program(provider.port(), provider::gauges, provider);
        });
  }
}
