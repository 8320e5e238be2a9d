// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.provider.service;

import dev.tenrec.examples.load.FileHandles;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/**
 * The provider in a JVM of its own. It ends with its standard input, on which it takes {@code
 * settings name=value name=value}, and {@code figures}.
 */
public final class ProviderMain {

  /** The key of the pool all methods share, unless a setting says otherwise. */
  public static final String SHARED_POOL = "Business";

  static final String SETTINGS = "settings";
  static final String FIGURES = "figures";

  private static final int FAILED = 2;

  private ProviderMain() {}

  /**
   * Runs it.
   *
   * @param arguments the port, or 0 for a free one; where the store is; how many callers there are
   */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 3) {
      System.err.println("expected three arguments: PORT (0 for a free one), STORE, CALLERS");
      System.exit(FAILED);
    }
    try (Provider provider =
        Provider.open(Integer.parseInt(arguments[0]), URI.create(arguments[1]))) {
      // each call has a connection here, and may have another to the store
      FileHandles.requireFor(2L * Integer.parseInt(arguments[2]));
      ProviderFigures figures = new ProviderFigures(provider);
      Lifeline.hold(provider.uri(), line -> answer(line, provider, figures));
    } catch (IOException | IllegalArgumentException | IllegalStateException wrong) {
      System.err.println("provider: " + wrong.getMessage());
      Runtime.getRuntime().halt(FAILED);
    }
  }

  private static Map<String, Double> answer(String line, Provider provider, ProviderFigures figures)
      throws InterruptedException {
    if (line.equals(FIGURES)) {
      return figures.read();
    }
    if (!line.startsWith(SETTINGS)) {
      throw new IllegalArgumentException(
          line + ", expected " + SETTINGS + " name=value, or " + FIGURES);
    }
    provider.settings(Pairs.read(line.substring(SETTINGS.length())));
    return Map.of();
  }
}
