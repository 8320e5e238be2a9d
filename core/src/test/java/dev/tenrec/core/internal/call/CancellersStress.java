// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Races of {@link Cancellers}: each canceller runs exactly once, or is forgotten for good. */
public class CancellersStress {

  /** Registered while the work is given up. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both have run, once")
  @Outcome(expect = FORBIDDEN, desc = "one was lost, or ran twice")
  @State
  public static class AddAgainstGiveUp {
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();
    private final Cancellers cancellers = new Cancellers();

    public AddAgainstGiveUp() {
      cancellers.add(first::incrementAndGet);
    }

    @Actor
    public void work() {
      cancellers.add(second::incrementAndGet);
    }

    @Actor
    public void timer() {
      cancellers.giveUp();
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = first.get();
      r.r2 = second.get();
    }
  }

  /** Given up by two, say a deadline and a caller. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both have run, once")
  @Outcome(expect = FORBIDDEN, desc = "one was lost, or ran twice")
  @State
  public static class GiveUpAgainstGiveUp {
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();
    private final Cancellers cancellers = new Cancellers();

    public GiveUpAgainstGiveUp() {
      cancellers.add(first::incrementAndGet);
      cancellers.add(second::incrementAndGet);
    }

    @Actor
    public void caller() {
      cancellers.giveUp();
    }

    @Actor
    public void timer() {
      cancellers.giveUp();
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = first.get();
      r.r2 = second.get();
    }
  }

  /** The work ends as it is given up: all of them or none. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "given up first")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "ended first")
  @Outcome(expect = FORBIDDEN, desc = "half of them, or twice")
  @State
  public static class ForgetAgainstGiveUp {
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();
    private final Cancellers cancellers = new Cancellers();

    public ForgetAgainstGiveUp() {
      cancellers.add(first::incrementAndGet);
      cancellers.add(second::incrementAndGet);
    }

    @Actor
    public void work() {
      cancellers.forget();
    }

    @Actor
    public void timer() {
      cancellers.giveUp();
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = first.get();
      r.r2 = second.get();
    }
  }

  /** One registers late while another's work ends: what was registered does not run any more. */
  @JCStressTest
  @Outcome(
      id = "0, 0",
      expect = ACCEPTABLE,
      desc = "forgotten, also by a thread that gives up later")
  @Outcome(expect = FORBIDDEN, desc = "a canceller ran after the end")
  @State
  public static class AddAgainstForget {
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();
    private final Cancellers cancellers = new Cancellers();

    public AddAgainstForget() {
      cancellers.add(first::incrementAndGet);
    }

    @Actor
    public void helper() {
      cancellers.add(second::incrementAndGet);
    }

    @Actor
    public void work() {
      cancellers.forget();
    }

    @Arbiter
    public void afterwards(II_Result r) {
      cancellers.giveUp();
      r.r1 = first.get();
      r.r2 = second.get();
    }
  }
}
