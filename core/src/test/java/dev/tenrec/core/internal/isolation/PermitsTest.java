// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.tenrec.core.internal.gate.BulkheadGate;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class PermitsTest {

  @Test
  void tryTake_atTheLimit_isRefusedUntilOneComesBack() {
    Permits permits = new Permits(2);

    assertThat(permits.tryTake()).isTrue();
    assertThat(permits.tryTake()).isTrue();
    assertThat(permits.tryTake()).isFalse();
    assertThat(permits.inUse()).isEqualTo(2);

    permits.give();
    assertThat(permits.inUse()).isEqualTo(1);
    assertThat(permits.tryTake()).isTrue();
  }

  @Test
  void take_refused_saysWhatItWasDecidedOn() {
    Permits permits = new Permits(5);
    for (int i = 0; i < 5; i++) {
      assertThat(permits.take()).isEqualTo(Permits.TAKEN);
    }
    assertThat(Permits.limitOf(permits.take())).isEqualTo(5);
    assertThat(Permits.inUseOf(permits.take())).isEqualTo(5);

    permits.resize(3); // two more are out than may be
    long refusal = permits.take();
    permits.resize(7);

    assertThat(Permits.limitOf(refusal)).isEqualTo(3);
    assertThat(Permits.inUseOf(refusal)).isEqualTo(5);
    assertThat(permits.take()).isEqualTo(Permits.TAKEN);
    assertThat(new Permits(0).take()).isZero();
  }

  @Test
  void tryTake_withLimitZero_isRefused() {
    assertThat(new Permits(0).tryTake()).isFalse();
  }

  @Test
  void negativeLimit_isRefusedWithItsValue() {
    assertThatThrownBy(() -> new Permits(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 or more, was -1");
    Permits permits = new Permits(3);
    assertThatThrownBy(() -> permits.resize(-7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-7");
    assertThat(permits.limit()).isEqualTo(3);
  }

  /** One by one it takes minutes. */
  @Test
  void resize_fromTheLargestLimit_paysInSteps() {
    Permits permits = new Permits(Integer.MAX_VALUE);
    take(permits, 3);

    permits.resize(2);
    assertThat(permits.inUse()).isEqualTo(3);
    assertThat(permits.tryTake()).isFalse();
    permits.give();
    assertThat(permits.tryTake()).isFalse();
    permits.give();
    assertThat(permits.tryTake()).isTrue();

    permits.resize(Integer.MAX_VALUE);
    permits.resize(0);
    assertThat(permits.isSpent()).isFalse();
    permits.give();
    permits.give();
    assertThat(permits.isSpent()).isTrue();
  }

  @Test
  void resize_upward_letsMoreIn() {
    Permits permits = new Permits(1);
    take(permits, 1);

    permits.resize(3);

    take(permits, 2);
    assertThat(permits.tryTake()).isFalse();
    assertThat(permits.limit()).isEqualTo(3);
    assertThat(permits.inUse()).isEqualTo(3);
  }

  @Test
  void resize_belowUse_blocksNewOnesUntilEnoughCameBack() {
    Permits permits = new Permits(5);
    take(permits, 5);

    permits.resize(2);

    assertThat(permits.limit()).isEqualTo(2);
    assertThat(permits.inUse()).isEqualTo(5);
    for (int left = 4; left >= 2; left--) {
      permits.give();
      assertThat(permits.inUse()).isEqualTo(left);
      assertThat(permits.tryTake()).isFalse();
    }
    permits.give();
    assertThat(permits.tryTake()).isTrue();
    assertThat(permits.tryTake()).isFalse();
  }

  @Test
  void resize_belowUseThenUp_forgivesWhatIsStillOwed() {
    Permits permits = new Permits(10);
    take(permits, 10);

    permits.resize(4);
    permits.resize(8);
    assertThat(permits.tryTake()).isFalse();
    permits.give();
    permits.give();
    assertThat(permits.tryTake()).isFalse();
    permits.give();
    take(permits, 1);

    permits.resize(20);
    assertThat(permits.inUse()).isEqualTo(8);
    take(permits, 12);
    assertThat(permits.tryTake()).isFalse();
  }

  @Test
  void resize_upBeyondWhatIsOwed_addsOnlyTheRest() {
    Permits permits = new Permits(10);
    take(permits, 10);
    permits.resize(4);

    permits.resize(20); // six of the sixteen are those that are still out

    assertThat(permits.inUse()).isEqualTo(10);
    take(permits, 10);
    assertThat(permits.tryTake()).isFalse();
    assertThat(permits.inUse()).isEqualTo(20);
  }

  @Test
  void resize_downward_withPermitsInEachCell_leavesAsManyAsItSays() {
    PermitCell[] cells = emptyCells();
    for (PermitCell cell : cells) {
      cell.put(3_000);
    }
    Permits permits = new Permits(3_000 * cells.length, cells);

    permits.resize(3_000 * cells.length - 7);
    assertThat(permits.inUse()).isZero();
    permits.resize(9);

    assertThat(permits.inUse()).isZero();
    take(permits, 9);
    assertThat(permits.tryTake()).isFalse();
  }

  @Test
  void grow_withSomeOut_keepsWhatIsFreeAndIsDoneOnce() {
    Permits permits = new Permits(5);
    take(permits, 2);

    PermitCell[] cells = permits.grow();

    assertThat(cells).hasSize(Permits.CELL_COUNT).doesNotContainNull().doesNotHaveDuplicates();
    assertThat(permits.grow()).isSameAs(cells);
    assertThat(permits.inUse()).isEqualTo(2);
    take(permits, 3);
    assertThat(permits.tryTake()).isFalse();
    for (int i = 0; i < 5; i++) {
      permits.give();
    }
    assertThat(permits.inUse()).isZero();
    take(permits, 5);
    assertThat(permits.tryTake()).isFalse();
  }

  @Test
  void inUse_whenPermitsComeBackDuringEachLook_isWithinTheLimit() {
    PermitCell[] cells = emptyCells();
    Permits permits = new Permits(100_000, cells);
    for (PermitCell cell : cells) {
      ((WatchedCell) cell).afterEachRead(() -> cell.put(1));
    }

    // each look misses what came back behind it: at last it says what it has seen
    int use = permits.inUse();

    for (PermitCell cell : cells) {
      ((WatchedCell) cell).afterEachRead(() -> {});
    }
    assertThat(use).isBetween(permits.inUse(), 99_999);
    assertThat(permits.inUse()).isPositive();
  }

  @Test
  void resize_toZeroAndBack_restoresAll() {
    Permits permits = new Permits(3);
    permits.resize(0);
    assertThat(permits.tryTake()).isFalse();
    permits.resize(3);
    take(permits, 3);
    assertThat(permits.tryTake()).isFalse();
  }

  @Test
  void takeMaximum_withOneThread_isExactAndRestartsFromPresentUse() {
    Permits permits = new Permits(10);
    assertThat(permits.takeMaximum()).isZero();

    take(permits, 4);
    permits.give();
    permits.give();
    permits.give();
    assertThat(permits.takeMaximum()).isEqualTo(4);
    assertThat(permits.takeMaximum()).isEqualTo(1);

    take(permits, 1);
    permits.give();
    permits.give();
    assertThat(permits.takeMaximum()).isEqualTo(2);
    assertThat(permits.takeMaximum()).isZero();
  }

  @Test
  void takeMaximum_afterResizes_countsOnlyWhatWasOut() {
    Permits permits = new Permits(2);
    permits.resize(50);
    permits.resize(7);
    take(permits, 3);
    assertThat(permits.takeMaximum()).isEqualTo(3);

    permits.resize(2);
    permits.give();
    assertThat(permits.takeMaximum()).isEqualTo(3);
    assertThat(permits.takeMaximum()).isEqualTo(2);
  }

  @Test
  void tryTake_whenTheFreePermitMovesBehindItsLook_looksAgain() {
    PermitCell[] cells = emptyCells();
    PermitCell own = cells[Permits.own()];
    PermitCell next = cells[(Permits.own() + 1) % cells.length];
    next.put(1);
    Permits permits = new Permits(2, cells);

    // one is out, one free: it comes back to where we have looked, and the other goes out from
    // where we have not
    ((WatchedCell) own)
        .afterRead(
            2,
            () -> {
              own.put(1);
              assertThat(next.tryTakeFrom(next.word())).isTrue();
            });

    assertThat(permits.tryTake()).isTrue();
    assertThat(permits.inUse()).isEqualTo(2);
    assertThat(permits.tryTake()).isFalse();
  }

  @Test
  void takeMaximum_withCells_isExactForOneThreadAndRestarts() {
    PermitCell[] cells = emptyCells();
    cells[Permits.own()].put(8);
    Permits permits = new Permits(8, cells);

    take(permits, 5);
    giveBack(permits, 5);
    assertThat(permits.takeMaximum()).isEqualTo(5);

    take(permits, 2); // fewer than before, and yet the most since then
    giveBack(permits, 2);
    assertThat(permits.takeMaximum()).isEqualTo(2);
    assertThat(permits.takeMaximum()).isZero();
  }

  @Test
  void take_fromAnothersCell_countsAndIsRefusedByTheLimitOfAll() {
    PermitCell[] cells = emptyCells();
    PermitCell next = cells[(Permits.own() + 1) % cells.length];
    next.put(3);
    Permits permits = new Permits(3, cells);

    take(permits, 2);
    giveBack(permits, 2); // to the own cell
    assertThat(permits.takeMaximum()).isEqualTo(2);
    take(permits, 3);

    long refusal = permits.take();
    assertThat(Permits.limitOf(refusal)).isEqualTo(3);
    assertThat(Permits.inUseOf(refusal)).isEqualTo(3);
  }

  @Test
  void tryTakeFrom_aWordThatHasChanged_takesNothing() {
    PermitCell cell = new PermitCell(5);
    long seen = cell.word();

    assertThat(cell.tryTakeFrom(seen)).isTrue();
    assertThat(cell.tryTakeFrom(seen)).isFalse();
    assertThat(cell.tryTakeFrom(seen, 2)).isFalse();
    assertThat(PermitCell.free(cell.word())).isEqualTo(4);
    assertThat(cell.tryTakeFrom(cell.word(), 3)).isTrue();
    assertThat(PermitCell.free(cell.word())).isEqualTo(1);
  }

  @Test
  void takeMaximum_whenAPermitMovesDuringTheLook_isNotMoreThanWasOut() {
    PermitCell[] cells = emptyCells();
    PermitCell own = cells[Permits.own()];
    PermitCell next = cells[(Permits.own() + 1) % cells.length];
    next.put(1);
    own.put(1);
    Permits permits = new Permits(3, cells);

    // one is out all the time but for a moment, yet a sum over the cells would miss both it and the
    // one taken after it
    ((WatchedCell) cells[0])
        .afterRead(
            2,
            () -> {
              cells[0].put(1);
              PermitCell other = next == cells[0] ? own : next;
              assertThat(other.tryTakeFrom(other.word())).isTrue();
            });

    assertThat(permits.takeMaximum()).isLessThanOrEqualTo(1);
  }

  /** A command's own count beside a pool's permits: it finds no memory for its cells. */
  @Test
  void enter_whoseOwnCountFails_givesThePoolsPermitBack() {
    PermitCell[] cells = emptyCells();
    for (PermitCell cell : cells) {
      ((WatchedCell) cell)
          .afterEachRead(
              () -> {
                throw new OutOfMemoryError("no memory for cells");
              });
    }
    Permits pool = new Permits(1);
    BulkheadGate gate =
        new BulkheadGate(
            pool,
            new Permits(1, cells),
            Reason.THREAD_POOL,
            "Pool",
            new InFlightMonitor(Ticker.system(), Waiter.system()));

    assertThatThrownBy(gate::enter).isInstanceOf(OutOfMemoryError.class);

    assertThat(pool.inUse()).isZero();
    assertThat(pool.tryTake()).isTrue();
  }

  private static void giveBack(Permits permits, int count) {
    for (int i = 0; i < count; i++) {
      permits.give();
    }
  }

  private static PermitCell[] emptyCells() {
    PermitCell[] cells = new PermitCell[Permits.CELL_COUNT];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = new WatchedCell();
    }
    return cells;
  }

  /** Does something between the n-th read of its word and whatever the reader does then. */
  private static final class WatchedCell extends PermitCell {
    private int readsLeft;
    private Runnable action = () -> {};
    private Runnable always = () -> {};

    WatchedCell() {
      super(0);
    }

    void afterRead(int reads, Runnable action) {
      this.readsLeft = reads;
      this.action = action;
    }

    void afterEachRead(Runnable action) {
      this.always = action;
    }

    @Override
    long word() {
      long word = super.word();
      always.run();
      if (--readsLeft == 0) {
        action.run();
      }
      return word;
    }
  }

  @Test
  void takeAndGive_allocateNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Permits permits = new Permits(2);
    Permits full = new Permits(0);
    churn(permits, full, 20_000);

    long before = threads.getCurrentThreadAllocatedBytes();
    churn(permits, full, 20_000);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    // far below one object a call; what the JVM's own counting allocates is not ours
    assertThat(allocated).isLessThan(20_000);
  }

  private static void churn(Permits permits, Permits full, int times) {
    int taken = 0;
    for (int i = 0; i < times; i++) {
      if (permits.tryTake()) {
        taken++;
        permits.give();
      }
      if (full.tryTake()) {
        taken--;
      }
    }
    assertThat(taken).isEqualTo(times);
  }

  private static void take(Permits permits, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(permits.tryTake()).as("permit %d of %d", i + 1, count).isTrue();
    }
  }
}
