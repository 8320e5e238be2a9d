// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Races of {@link Permits} that can be named. Two actors each: with more, jcstress leaves a test
 * out on a machine with two cores.
 */
public class PermitsStress {

  /** One permit, two takers. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one of them")
  @Outcome(expect = FORBIDDEN, desc = "both or neither")
  @State
  public static class LastPermit {
    private final Permits permits = new Permits(1);

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = permits.tryTake();
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = permits.tryTake();
    }
  }

  /** As many permits as threads, the cells grown by the very collision. */
  @JCStressTest
  @Outcome(id = "true, true, 0", expect = ACCEPTABLE, desc = "nobody is refused, all come back")
  @Outcome(expect = FORBIDDEN, desc = "a free permit was refused, or one got lost")
  @State
  public static class GrowingCells {
    private final Permits permits = new Permits(2);

    @Actor
    public void first(ZZI_Result r) {
      r.r1 = takeAndGiveTwice(permits);
    }

    @Actor
    public void second(ZZI_Result r) {
      r.r2 = takeAndGiveTwice(permits);
    }

    @Arbiter
    public void afterwards(ZZI_Result r) {
      r.r3 = permits.inUse();
    }
  }

  /**
   * As many permits as threads, wandering from cell to cell: the look at all cells must not be
   * fooled.
   */
  @JCStressTest
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "nobody is refused")
  @Outcome(expect = FORBIDDEN, desc = "a free permit was refused")
  @State
  public static class WanderingPermits {
    private final Permits permits = new Permits(2);

    public WanderingPermits() {
      permits.grow();
    }

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = takeAndGiveTwice(permits);
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = takeAndGiveTwice(permits);
    }
  }

  /**
   * One permit is free all the time, but moves from cell to cell, against the way of the look: a
   * look that finds each cell empty has to see that something was put there meanwhile.
   */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "it has it")
  @Outcome(expect = FORBIDDEN, desc = "a free permit was refused")
  @State
  public static class FreePermitThatMoves {
    private final PermitCell[] cells = cells();
    private final Permits permits = new Permits(1, cells);

    @Actor
    public void taker(Z_Result r) {
      r.r1 = permits.tryTake();
    }

    @Actor
    public void mover() {
      int at = 0;
      for (int step = 0; step < 3 * cells.length; step++) {
        int next = (at + cells.length - 1) % cells.length;
        cells[next].put(1);
        long seen = cells[at].word();
        if (PermitCellWord.free(seen) == 0 || !cells[at].tryTakeFrom(seen)) {
          return; // the taker was faster
        }
        at = next;
      }
    }

    private static PermitCell[] cells() {
      PermitCell[] cells = new PermitCell[Permits.CELL_COUNT];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = new PermitCell(i == 0 ? 1 : 0);
      }
      return cells;
    }
  }

  /** Two take beside one that is out: the most that were out are all three. */
  @JCStressTest
  @Outcome(id = "true, true, 3", expect = ACCEPTABLE, desc = "all three")
  @Outcome(expect = FORBIDDEN, desc = "the smaller use was written over the greater one")
  @State
  public static class MostInUse {
    private final Permits permits = new Permits(8);
    private final boolean taken = permits.tryTake();

    @Actor
    public void first(ZZI_Result r) {
      r.r1 = permits.tryTake();
    }

    @Actor
    public void second(ZZI_Result r) {
      r.r2 = permits.tryTake();
    }

    @Arbiter
    public void afterwards(ZZI_Result r) {
      for (int i = 0; taken && i < 3; i++) {
        permits.give();
      }
      r.r3 = permits.takeMaximum();
    }
  }

  /** Two threads that collide add cells: there is one set of them. */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "the same ones")
  @Outcome(expect = FORBIDDEN, desc = "what lies in the others is lost")
  @State
  public static class OneSetOfCells {
    private final Permits permits = new Permits(1);
    private PermitCell[] one = new PermitCell[0];
    private PermitCell[] other = new PermitCell[1];

    @Actor
    public void first() {
      one = permits.grow();
    }

    @Actor
    public void second() {
      other = permits.grow();
    }

    @Arbiter
    public void afterwards(Z_Result r) {
      r.r1 = one == other;
    }
  }

  /** A permit comes back while the limit is lowered: it must not stay free beside the debt. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "none free, none out")
  @Outcome(expect = FORBIDDEN, desc = "a permit stayed free, or the debt was paid twice")
  @State
  public static class GiveWhileLowered {
    private final Permits permits = new Permits(1);
    private final boolean taken = permits.tryTake();

    @Actor
    public void giver() {
      if (taken) {
        permits.give();
      }
    }

    @Actor
    public void resizer() {
      permits.resize(0);
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = takeAll(permits);
      r.r2 = permits.inUse();
    }
  }

  /** The same in many cells, with the limit raised again above the debt. */
  @JCStressTest
  @Outcome(id = "4, 4", expect = ACCEPTABLE, desc = "the whole limit is there")
  @Outcome(expect = FORBIDDEN, desc = "permits were lost or made")
  @State
  public static class GiveWhileLoweredAndRaised {
    private final Permits permits = new Permits(2);
    private final boolean taken;

    public GiveWhileLoweredAndRaised() {
      permits.grow();
      taken = permits.tryTake() && permits.tryTake();
    }

    @Actor
    public void giver() {
      if (taken) {
        permits.give();
        permits.give();
      }
    }

    @Actor
    public void resizer() {
      permits.resize(1);
      permits.resize(4);
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = takeAll(permits);
      r.r2 = permits.inUse();
    }
  }

  /** A taker for whom the lower limit still has room is not refused by the lowering. */
  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "it fits all the time")
  @Outcome(expect = FORBIDDEN, desc = "refused below the limit, or a permit was lost or made")
  @State
  public static class TakeWhileLowered {
    private final Permits permits = new Permits(3);

    @Actor
    public void taker(ZI_Result r) {
      r.r1 = takeAndGiveTwice(permits);
    }

    @Actor
    public void resizer() {
      permits.resize(1);
    }

    @Arbiter
    public void afterwards(ZI_Result r) {
      r.r2 = takeAll(permits);
    }
  }

  private static boolean takeAndGiveTwice(Permits permits) {
    for (int i = 0; i < 2; i++) {
      if (!permits.tryTake()) {
        return false;
      }
      permits.give();
    }
    return true;
  }

  private static int takeAll(Permits permits) {
    int taken = 0;
    while (permits.tryTake()) {
      taken++;
    }
    return taken;
  }
}
