// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;

/**
 * Thrown by what hangs on a future, it makes completing that future fail as the end of a stack
 * does: JDK 17 asks it for its words where it catches nothing.
 */
final class Unspeakable extends RuntimeException {

  /** Later JDKs catch that, and there only a stack that really ends makes completing fail. */
  static void assumeHeard() {
    CompletableFuture<String> future = new CompletableFuture<>();
    CompletableFuture<Void> unused =
        future.thenRun(
            () -> {
              throw new Unspeakable();
            });
    boolean heard = false;
    try {
      future.complete("done");
    } catch (StackOverflowError thrown) {
      heard = true;
    }
    Assumptions.assumeTrue(heard, "this JDK catches what the exceptions of dependents say");
  }

  @Override
  public String toString() {
    throw new StackOverflowError("of the test");
  }
}
