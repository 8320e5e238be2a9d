// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which points there are, and how long each takes.
 *
 * @param threads of fixed pools
 * @param queues of fixed pools
 * @param methods that are swept
 * @param warmUp how long each method is called before anything is measured
 * @param time how long a point takes
 */
public record Form(
    List<Integer> threads,
    List<Integer> queues,
    List<Method> methods,
    Duration warmUp,
    Duration time) {

  /** Some five and a half minutes. */
  public static final Form FULL =
      new Form(
          List.of(2, 4, 6, 12, 16, 25, 50, 200),
          List.of(0, 50, 100),
          List.of(Method.values()),
          Duration.ofSeconds(5),
          Duration.ofSeconds(3));

  /** Whether it runs, and all counts agree: some seconds. */
  public static final Form SHORT =
      new Form(
          List.of(4, 50),
          List.of(0, 50),
          List.of(Method.IS_FOLLOW, Method.FOLLOW),
          Duration.ofMillis(60),
          Duration.ofMillis(100));

  /** What shows the shape: some forty seconds. */
  public static final Form DEMO =
      new Form(
          List.of(4, 16, 200),
          List.of(0, 50),
          List.of(Method.IS_FOLLOW, Method.FOLLOW),
          Duration.ofSeconds(1),
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
    return points;
  }

  /** What makes the JIT compile all of it before the first point. */
  List<Point> warmUps() {
    return List.of(Method.values()).stream()
        .map(method -> alone(Part.SWEEP, method, CHOSEN))
        .toList();
  }

  private static Point alone(Part part, Method method, PoolSetting pool) {
    return Point.of(part, method, USERS, pool, PAUSE_MILLIS);
  }

  private static Point mixed(PoolSetting shared, Map<Method, PoolSetting> own) {
    Map<Method, Integer> users = Map.of(Method.IS_FOLLOW, USERS / 2, Method.FOLLOW, USERS / 2);
    return new Point(Part.MIXED, users, shared, own, PAUSE_MILLIS);
  }
}
