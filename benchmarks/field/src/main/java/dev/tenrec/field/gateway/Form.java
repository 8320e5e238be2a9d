// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Plan;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Which loads there are.
 *
 * @param users how many call at once
 * @param time how long a load by users is measured, once all have begun
 * @param helloLimits of the gateways in front of the quick call; {@link Cell#DIRECT} for none
 * @param slowLimits of those in front of the slow one
 * @param posts how many users call at once by POST, direct and through a gateway that fits; 0 for
 *     none of that
 * @param containers users of the quick call through a gateway of {@link #CONTAINER} threads, which
 *     wait for the service, and the original's limit
 * @param openLimits of those in front of the slow one under an open load
 * @param perSecond calls of an open load
 * @param openRequests how many of these
 * @param warmUp calls before each load, so that it is not the loading of classes that is measured
 * @param seconds for how long a load by schedule, or a warm-up, may take
 */
record Form(
    List<Integer> users,
    Duration time,
    List<Integer> helloLimits,
    List<Integer> slowLimits,
    int posts,
    List<Integer> containers,
    List<Integer> openLimits,
    int perSecond,
    int openRequests,
    int warmUp,
    int seconds) {

  /** One that no user's call meets, nor one by schedule unless answers are a second late. */
  static final int FITTING = 1_000;

  /** The original's. */
  static final int ORIGINAL = 100;

  /** Threads of a container, by default. */
  static final int CONTAINER = 200;

  /** Calls a second of the open load. */
  static final int PER_SECOND = 1_000;

  static final int DELAY_MILLIS = 200;

  /**
   * By {@code Sizing}, for the open load: rate × service time, 1,000/s × 0.2 s, are 200 calls in
   * flight, and as many more as refuse one in a thousand, if they came at random.
   */
  static final int BY_FORMULA =
      Sizing.permits(
          BigDecimal.valueOf(PER_SECOND), Duration.ofMillis(DELAY_MILLIS), new BigDecimal("0.001"));

  private static final List<Integer> ALL = List.of(Cell.DIRECT, FITTING, ORIGINAL);
  private static final List<Integer> OPEN = List.of(FITTING, BY_FORMULA, ORIGINAL);
  private static final List<Integer> USERS = List.of(50, 200, 500);

  /** As the original was: a quarter of an hour. */
  static final Form LONG =
      new Form(
          USERS,
          Duration.ofSeconds(40),
          ALL,
          ALL,
          50,
          List.of(200, 500),
          OPEN,
          PER_SECOND,
          20_000,
          5_000,
          300);

  /** Of the same loads, for less time: some five minutes. */
  static final Form DEFAULT =
      new Form(
          USERS,
          Duration.ofSeconds(8),
          ALL,
          ALL,
          50,
          List.of(200, 500),
          OPEN,
          PER_SECOND,
          15_000,
          5_000,
          120);

  /**
   * Whether it runs, and all counts agree: seconds. A limit of 20 is met as surely as 100 above.
   */
  static final Form SHORT =
      new Form(
          List.of(60),
          Duration.ofMillis(500),
          List.of(Cell.DIRECT, FITTING),
          List.of(Cell.DIRECT, 20),
          0,
          List.of(60),
          List.of(20),
          400,
          200,
          100,
          30);

  /** What shows the shape: under a minute. */
  static final Form DEMO =
      new Form(
          List.of(500),
          Duration.ofSeconds(3),
          List.of(Cell.DIRECT, FITTING),
          ALL,
          0,
          List.of(),
          OPEN,
          PER_SECOND,
          3_000,
          2_000,
          20);

  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int limit : helloLimits) {
      users.forEach(
          level ->
              cells.add(
                  new Cell(Cell.HELLO, limit, new Arrivals.Closed(level), Plan.MOST_REQUESTS)));
    }
    for (int limit : slowLimits) {
      for (int level : users) {
        cells.add(new Cell(Cell.SLOW, limit, new Arrivals.Closed(level), Plan.MOST_REQUESTS));
      }
    }
    if (posts > 0) {
      for (int limit : List.of(Cell.DIRECT, FITTING)) {
        cells.add(new Cell(Cell.POST, limit, new Arrivals.Closed(posts), Plan.MOST_REQUESTS));
      }
    }
    for (int level : containers) {
      cells.add(
          new Cell(
              Cell.HELLO, ORIGINAL, new Arrivals.Closed(level), Plan.MOST_REQUESTS, CONTAINER));
    }
    for (int limit : openLimits) {
      cells.add(new Cell(Cell.SLOW, limit, new Arrivals.Open(perSecond), openRequests));
    }
    return cells;
  }

  /** How long a load of this form may take. */
  Duration time(Cell cell) {
    return cell.isByTime() ? time : Duration.ofSeconds(seconds);
  }

  /** Calls there may be at once; of an open load, should answers be a second late. */
  int mostAtOnce() {
    return users.stream().mapToInt(level -> level).reduce(perSecond, Math::max);
  }
}
