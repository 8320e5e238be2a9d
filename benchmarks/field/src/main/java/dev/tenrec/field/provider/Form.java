// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which points there are, and how long each takes.
 *
 * @param threads of fixed pools
 * @param queues of fixed pools
 * @param methods that are swept
 * @param readers I/O threads that are tried
 * @param shares of an instance's capacity that come by schedule, in per cent
 * @param warmUp how long each method is called before anything is measured
 * @param time how long a point takes
 */
public record Form(
    List<Integer> threads,
    List<Integer> queues,
    List<Method> methods,
    List<Integer> readers,
    List<Integer> shares,
    Duration warmUp,
    Duration time) {

  /** Some six and a half minutes. */
  public static final Form FULL =
      new Form(
          List.of(2, 4, 6, 12, 16, 25, 50, 200),
          List.of(0, 50, 100),
          List.of(Method.values()),
          List.of(0, 1, 2, 4),
          List.of(50, 80, 95, 120),
          Duration.ofSeconds(5),
          Duration.ofSeconds(3));

  /** Whether it runs, and all counts agree: some seconds. */
  public static final Form SHORT =
      new Form(
          List.of(4, 50),
          List.of(0, 50),
          List.of(Method.IS_FOLLOW, Method.FOLLOW),
          List.of(2),
          List.of(120),
          Duration.ofMillis(60),
          Duration.ofMillis(100));

  /** What shows the shape: under a minute. */
  public static final Form DEMO =
      new Form(
          List.of(4, 16, 200),
          List.of(0, 50),
          List.of(Method.IS_FOLLOW, Method.FOLLOW),
          List.of(),
          List.of(80, 120),
          Duration.ofSeconds(4),
          Duration.ofSeconds(1));

  /** In all, whatever they call. */
  public static final int USERS = 100;

  /** Long against what the fast method takes, short against a point. */
  static final int PAUSE_MILLIS = 50;

  /** The one the original chose in the end. */
  static final PoolSetting CHOSEN = PoolSetting.fixed(16, 50);

  /** The one it began with. */
  static final PoolSetting DEFAULT = PoolSetting.growing(20, 200, 0);

  /** The smallest one of its table. */
  static final PoolSetting SMALL = PoolSetting.fixed(8, 0);

  /** With a fast and a slow method at once. */
  static final List<PoolSetting> SHARED_BY_TWO =
      List.of(SMALL, CHOSEN, PoolSetting.fixed(50, 100), DEFAULT);

  /** As many threads as the slow method's store has places, and a queue. */
  static final PoolSetting ENOUGH = PoolSetting.fixed(Method.FOLLOW.storePlaces(), 50);

  /** A queue that nothing fills. */
  static final PoolSetting UNLIMITED = PoolSetting.fixed(Method.FOLLOW.storePlaces(), 100_000);

  private static final List<PoolSetting> POOLS_BY_SCHEDULE = List.of(ENOUGH, UNLIMITED);

  /** What one instance can do of the slow method. */
  static final Point CAPACITY = alone(Part.CAPACITY, Method.FOLLOW, ENOUGH);

  /** How many points and phases there are of these parts. */
  int planned(Set<Part> parts) {
    return points(parts).size()
        + (parts.contains(Part.CAPACITY) ? POOLS_BY_SCHEDULE.size() * shares.size() : 0)
        + (parts.contains(Part.CANARY) ? Canary.PHASES : 0);
  }

  /** Those of some parts. */
  List<Point> points(Set<Part> parts) {
    return points().stream().filter(point -> parts.contains(point.part())).toList();
  }

  /**
   * Calls by schedule, to a queue with a bound and to one without.
   *
   * @param capacity answers a second
   */
  List<Point> bySchedule(double capacity) {
    List<Point> points = new ArrayList<>();
    for (PoolSetting pool : POOLS_BY_SCHEDULE) {
      for (int share : shares) {
        int calls = Math.max(1, (int) Math.round(capacity * share / 100));
        points.add(alone(Part.CAPACITY, Method.FOLLOW, pool).bySchedule(calls));
      }
    }
    return points;
  }

  List<Point> points() {
    List<Point> points = new ArrayList<>();
    for (Method method : methods) {
      for (int queue : queues) {
        for (int count : threads) {
          points.add(alone(Part.SWEEP, method, PoolSetting.fixed(count, queue)));
        }
      }
    }
    for (Method method : methods) {
      points.add(alone(Part.KINDS, method, SMALL));
      points.add(alone(Part.KINDS, method, CHOSEN));
      points.add(alone(Part.KINDS, method, DEFAULT));
      points.add(alone(Part.KINDS, method, PoolSetting.growing(16, 32, 50)));
    }
    for (Method method : methods) {
      points.add(Point.of(Part.IMPATIENT, method, USERS, SMALL, 0));
    }
    for (PoolSetting one : SHARED_BY_TWO) {
      points.add(mixed(one, Map.of()));
    }
    points.add(
        mixed(
            CHOSEN,
            Map.of(
                Method.IS_FOLLOW,
                CHOSEN,
                Method.FOLLOW,
                PoolSetting.fixed(Method.FOLLOW.storePlaces(), 0))));
    for (int threads : readers) {
      points.add(alone(Part.READERS, Method.IS_FOLLOW, PoolSetting.fixed(16, 100)).readBy(threads));
    }
    points.add(CAPACITY);
    return points;
  }

  /** What makes the JIT compile all of it before the first point. */
  List<Point> warmUps() {
    return methods.stream().map(method -> alone(Part.SWEEP, method, CHOSEN)).toList();
  }

  private static Point alone(Part part, Method method, PoolSetting pool) {
    return Point.of(part, method, USERS, pool, PAUSE_MILLIS);
  }

  private static Point mixed(PoolSetting shared, Map<Method, PoolSetting> own) {
    Map<Method, Integer> users = Map.of(Method.IS_FOLLOW, USERS / 2, Method.FOLLOW, USERS / 2);
    return new Point(Part.MIXED, users, shared, own, PAUSE_MILLIS, 0, 0);
  }
}
