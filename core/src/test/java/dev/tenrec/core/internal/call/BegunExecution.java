// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.work.Call;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** Makes executions whose work has begun, for tests that make very many of them. */
final class BegunExecution {

  /** Of whose command they are. */
  private static final Execution<String, String> PATTERN = pattern();

  private BegunExecution() {}

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private static Execution<String, String> pattern() {
    AtomicReference<Call> seen = new AtomicReference<>();
    Tenrec tenrec = Tenrec.builder().source(new NoSettings()).build();
    var unused =
        tenrec
            .asyncCommand(
                "Raced",
                (String argument, Call call) -> {
                  seen.set(call);
                  return CompletableFuture.completedFuture(argument);
                })
            .build()
            .execute("x");
    return (Execution<String, String>) seen.get();
  }

  /** One that no thread has claimed. */
  static Execution<String, String> make() {
    Execution<String, String> made =
        new Execution<>(PATTERN.pipeline, PATTERN.plan, "x", null, false, 0);
    if (!made.launch() || !made.begin(null)) {
      throw new IllegalStateException("not begun");
    }
    return made;
  }
}
