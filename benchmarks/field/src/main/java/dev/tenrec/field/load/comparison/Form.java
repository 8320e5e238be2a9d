// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.load.engine.Engines;
import java.util.ArrayList;
import java.util.List;

/**
 * Which cells there are.
 *
 * @param heapsMegabytes sizes of the driver's heap
 * @param delaysMillis how long the service takes
 * @param users how many call at once
 * @param quickRequests calls of a cell without delay; with one, each user calls once
 * @param seconds for how long one cell may take
 */
public record Form(
    List<Integer> heapsMegabytes,
    List<Integer> delaysMillis,
    List<Integer> users,
    int quickRequests,
    int seconds) {

  /** As the original was. The pool alone needs some four minutes for the slow service. */
  public static final Form FULL =
      new Form(
          List.of(512, 128), List.of(0, 500), List.of(100, 500, 1_000, 2_000, 5_000), 20_000, 180);

  /** Whether it runs, and the books agree: under 20 seconds. */
  public static final Form SHORT = new Form(List.of(128), List.of(0, 100), List.of(60), 600, 10);

  private static final int GUARDED_USERS = 60;
  private static final int PERMITS = 20;

  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int heap : heapsMegabytes) {
      for (int delay : delaysMillis) {
        for (int level : users) {
          for (Engines engine : Engines.values()) {
            int requests = delay == 0 ? Math.max(quickRequests, 4 * level) : level;
            cells.add(new Cell(heap, delay, engine, level, requests, 0));
          }
        }
      }
    }
    int smallest = heapsMegabytes.get(heapsMegabytes.size() - 1);
    int slowest = delaysMillis.get(delaysMillis.size() - 1);
    for (Engines engine : List.of(Engines.THREAD, Engines.ASYNC)) {
      cells.add(new Cell(smallest, slowest, engine, GUARDED_USERS, GUARDED_USERS * 2, PERMITS));
    }
    return cells;
  }

  int mostUsers() {
    return users.stream().mapToInt(level -> level).max().orElse(1);
  }
}
