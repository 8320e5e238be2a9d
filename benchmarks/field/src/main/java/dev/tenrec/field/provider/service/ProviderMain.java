// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import dev.tenrec.field.kit.Lifeline;
import dev.tenrec.field.kit.Pairs;
import dev.tenrec.field.load.FileHandles;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/**
 * The provider in a JVM of its own. It ends with its standard input, on which it takes {@code
 * settings name=value name=value}, {@code readers N} and {@code figures}.
 */
public final class ProviderMain {

  /** The key of the pool all methods share, unless a setting says otherwise. */
  public static final String SHARED_POOL = "Business";

  static final String SETTINGS = "settings";
  static final String FIGURES = "figures";
  static final String READERS = "readers";

  private ProviderMain() {}

  /**
   * Runs it.
   *
   * @param arguments the port, or 0 for a free one; where the store is; how many callers there are
   */
  public static void main(String[] arguments) {
    Lifeline.run("provider", () -> start(arguments));
  }

  private static Lifeline.Service start(String[] arguments) throws IOException {
    if (arguments.length != 3) {
      throw new IllegalArgumentException(
          "expected three arguments: PORT (0 for a free one), STORE, CALLERS");
    }
    // each call has a connection here, and may have another to the store
    FileHandles.requireFor(2L * Integer.parseInt(arguments[2]));
    Provider provider = Provider.open(Integer.parseInt(arguments[0]), URI.create(arguments[1]));
    ProviderFigures figures = new ProviderFigures(provider);
    return new Lifeline.Service(
        provider.uri().toString(),
        Map.of(
            FIGURES, rest -> figures.read(),
            READERS, rest -> readers(provider, rest),
            SETTINGS, rest -> settings(provider, rest)),
        provider);
  }

  private static Map<String, Double> readers(Provider provider, String threads) {
    provider.readers(Integer.parseInt(threads));
    return Map.of();
  }

  private static Map<String, Double> settings(Provider provider, String pairs) {
    provider.settings(Pairs.read(pairs));
    return Map.of();
  }
}
