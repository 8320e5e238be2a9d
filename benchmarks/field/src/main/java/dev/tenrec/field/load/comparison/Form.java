// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.load.engine.Engines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Which cells there are.
 *
 * @param heapsMegabytes sizes of the driver's heap
 * @param delaysMillis how long the service takes
 * @param users how many call at once
 * @param window how long a cell without delay, and a guarded one, is measured
 * @param longest how long a cell with a delay may take, in which each user calls once
 */
public record Form(
    List<Integer> heapsMegabytes,
    List<Integer> delaysMillis,
    List<Integer> users,
    Duration window,
    Duration longest) {

  /** As the original was. The pool alone needs some four minutes for the slow service. */
  public static final Form FULL =
      new Form(
          List.of(512, 128),
          List.of(0, 500),
          List.of(100, 500, 1_000, 2_000, 5_000),
          Duration.ofSeconds(3),
          Duration.ofMinutes(3));

  /** Whether it runs, and all counts agree: under 20 seconds. */
  public static final Form SHORT =
      new Form(
          List.of(128),
          List.of(0, 100),
          List.of(60),
          Duration.ofMillis(300),
          Duration.ofSeconds(10));

  /** What shows the shape: three quarters of a minute, half of which the pool needs. */
  public static final Form DEMO =
      new Form(
          List.of(512, 128),
          List.of(0, 500),
          List.of(1_000, 5_000),
          Duration.ofSeconds(2),
          Duration.ofSeconds(40));

  private static final List<Cell> DEMO_CELLS =
      List.of(
          new Cell(512, 0, Engines.POOL, 1_000, 0, 0),
          new Cell(512, 0, Engines.ASYNC, 1_000, 0, 0),
          new Cell(512, 500, Engines.ASYNC, 1_000, 1_000, 0),
          new Cell(512, 500, Engines.POOL, 1_000, 1_000, 0),
          new Cell(128, 500, Engines.ASYNC, 5_000, 5_000, 0));

  private static final int GUARDED_USERS = 60;
  private static final int PERMITS = 20;

  List<Cell> cells() {
    if (equals(DEMO)) {
      return DEMO_CELLS;
    }
    List<Cell> cells = new ArrayList<>();
    for (int heap : heapsMegabytes) {
      for (int delay : delaysMillis) {
        for (int level : users) {
          for (Engines engine : Engines.values()) {
            cells.add(new Cell(heap, delay, engine, level, delay == 0 ? 0 : level, 0));
          }
        }
      }
    }
    int smallest = heapsMegabytes.get(heapsMegabytes.size() - 1);
    int slowest = delaysMillis.get(delaysMillis.size() - 1);
    for (Engines engine : List.of(Engines.THREAD, Engines.ASYNC)) {
      cells.add(new Cell(smallest, slowest, engine, GUARDED_USERS, 0, PERMITS));
    }
    return cells;
  }

  /** How long a cell may take, once its users have begun. */
  Duration time(Cell cell) {
    return cell.isByTime() ? window : longest;
  }

  int mostUsers() {
    return users.stream().mapToInt(level -> level).max().orElse(1);
  }
}
