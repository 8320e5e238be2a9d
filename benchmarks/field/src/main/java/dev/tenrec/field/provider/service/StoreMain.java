// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import dev.tenrec.field.kit.Lifeline;
import java.io.IOException;
import java.util.Map;

/** The store in a JVM of its own. It ends with its standard input. */
public final class StoreMain {

  private StoreMain() {}

  /** Runs it; there are no arguments. */
  public static void main(String[] arguments) {
    Lifeline.run("store", StoreMain::start);
  }

  private static Lifeline.Service start() throws IOException {
    Store store = Store.open();
    return new Lifeline.Service(
        store.uri().toString(), Map.of(ProviderMain.FIGURES, rest -> store.figures()), store);
  }
}
