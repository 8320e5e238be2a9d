// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.load.Arrivals;
import java.util.ArrayList;
import java.util.List;

/**
 * Which loads there are.
 *
 * @param users how many call at once
 * @param requests how many calls a load has at most
 * @param slowRounds how often each user makes the slow call at most
 * @param helloLimits of the gateways in front of the quick call; {@link Cell#DIRECT} for none
 * @param slowLimits of those in front of the slow one
 * @param openLimits of those in front of the slow one under an open load
 * @param perSecond calls of an open load
 * @param openRequests how many of these
 * @param warmUp calls before each load, so that it is not the loading of classes that is measured
 * @param seconds for how long one load may take
 */
record Form(
    List<Integer> users,
    int requests,
    int slowRounds,
    List<Integer> helloLimits,
    List<Integer> slowLimits,
    List<Integer> openLimits,
    int perSecond,
    int openRequests,
    int warmUp,
    int seconds) {

  /** One that no user's call meets, nor one by schedule unless answers are a second late. */
  static final int FITTING = 1_000;

  /** The original's. */
  static final int ORIGINAL = 100;

  private static final List<Integer> ALL = List.of(Cell.DIRECT, FITTING, ORIGINAL);
  private static final List<Integer> GATEWAYS = List.of(FITTING, ORIGINAL);
  private static final List<Integer> USERS = List.of(50, 200, 500);

  /** As the original was: a quarter of an hour, most of which is 50 users making the slow call. */
  static final Form LONG =
      new Form(USERS, 50_000, 1_000, ALL, ALL, GATEWAYS, 1_000, 20_000, 5_000, 300);

  /** The same with fewer calls: some five minutes. */
  static final Form DEFAULT =
      new Form(USERS, 20_000, 100, ALL, ALL, GATEWAYS, 1_000, 15_000, 5_000, 120);

  /** Whether it runs, and the books agree: seconds. A limit of 20 is met as surely as 100 above. */
  static final Form SHORT =
      new Form(
          List.of(60),
          300,
          2,
          List.of(Cell.DIRECT, FITTING),
          List.of(Cell.DIRECT, FITTING, 20),
          List.of(20),
          400,
          200,
          100,
          30);

  static final int DELAY_MILLIS = 200;

  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int limit : helloLimits) {
      users.forEach(
          level -> cells.add(new Cell(Cell.HELLO, limit, new Arrivals.Closed(level), requests)));
    }
    for (int limit : slowLimits) {
      for (int level : users) {
        int most = Math.min(requests, slowRounds * level);
        cells.add(new Cell(Cell.SLOW, limit, new Arrivals.Closed(level), most));
      }
    }
    for (int limit : openLimits) {
      cells.add(new Cell(Cell.SLOW, limit, new Arrivals.Open(perSecond), openRequests));
    }
    return cells;
  }

  /** Calls there may be at once; of an open load, should answers be a second late. */
  int mostAtOnce() {
    return users.stream().mapToInt(level -> level).reduce(perSecond, Math::max);
  }
}
