// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.provider.service;

import java.io.IOException;

/** The store in a JVM of its own. It ends with its standard input. */
public final class StoreMain {

  private StoreMain() {}

  /** Runs it; there are no arguments. */
  public static void main(String[] arguments) throws InterruptedException {
    try (Store store = Store.open()) {
      Lifeline.hold(store.uri(), line -> store.figures());
    } catch (IOException wrong) {
      System.err.println("store: " + wrong.getMessage());
      Runtime.getRuntime().halt(2);
    }
  }
}
