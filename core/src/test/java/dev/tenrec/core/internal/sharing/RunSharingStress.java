// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.NoSettings;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The race of {@link RunSharing} that can be named, through the calls of a real command. */
public class RunSharingStress {

  private static final Tenrec TENREC = Tenrec.builder().source(new NoSettings()).build();

  /** Answers with the number of its run, of those of its argument. */
  private static final Command<AtomicInteger, Integer> COMMAND =
      TENREC
          .command("Raced", (AtomicInteger runs) -> runs.incrementAndGet())
          .isolation(Isolation.semaphore(2))
          .withoutTimeout()
          .cacheKey(runs -> "key")
          .build();

  /** Two callers that miss together: one begins the run, the other shares it (rows 184, 196). */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "one run, both have its answer")
  @Outcome(expect = FORBIDDEN, desc = "two runs, or none")
  @State
  public static class FirstCaller {
    private final AtomicInteger runs = new AtomicInteger();
    private final RequestContext request = TENREC.openRequest();
    private final Supplier<Integer> call = request.wrapSupplier(() -> COMMAND.execute(runs));

    public FirstCaller() {
      request.leave(); // on the thread that made it; the actors' enter it
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = call.get();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = call.get();
    }

    @Arbiter
    public void afterwards(III_Result r) {
      r.r3 = runs.get();
      request.close();
    }
  }
}
