// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.provider.service;

import dev.tenrec.examples.load.FileHandles;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;

/**
 * The provider in a JVM of its own. It ends with its standard input, on which it takes {@code
 * settings name=value name=value}, and {@code figures}.
 */
public final class ProviderMain {

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
    String[] words = line.split(" ");
    switch (words[0]) {
      case SETTINGS -> {
        Map<String, String> values = new TreeMap<>();
        for (int i = 1; i < words.length; i++) {
          int equals = words[i].indexOf('=');
          if (equals < 0) {
            throw new IllegalArgumentException(words[i] + ", expected name=value");
          }
          values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        provider.settings(values);
        return Map.of();
      }
      case FIGURES -> {
        return figures.read();
      }
      default ->
          throw new IllegalArgumentException(
              line + ", expected " + SETTINGS + " name=value, or " + FIGURES);
    }
  }
}
