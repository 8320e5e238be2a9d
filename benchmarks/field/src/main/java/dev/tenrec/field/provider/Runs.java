// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What was measured, to be asked.
 *
 * @param all in the order of the run
 */
record Runs(List<Measured> all) {

  /** One method alone on this pool, with patient callers. */
  Optional<Measured> alone(Method method, PoolSetting pool) {
    return all.stream()
        .filter(one -> one.point().part() == Part.SWEEP || one.point().part() == Part.KINDS)
        .filter(one -> isOf(one, method) && one.point().shared().equals(pool))
        .findFirst();
  }

  /** The fixed pool with the most answers. */
  Optional<Measured> best(Method method) {
    return all.stream()
        .filter(one -> one.point().part() == Part.SWEEP && isOf(one, method))
        .max(Comparator.comparingDouble(one -> one.perSecond(method)));
  }

  /** The smallest pool, with callers that do not wait. */
  Optional<Measured> impatient(Method method) {
    return all.stream()
        .filter(one -> one.point().part() == Part.IMPATIENT && isOf(one, method))
        .findFirst();
  }

  /** Both methods at once: on this pool, or each on its own. */
  Optional<Measured> mixed(PoolSetting shared, boolean own) {
    return all.stream()
        .filter(one -> one.point().part() == Part.MIXED)
        .filter(one -> own != one.point().own().isEmpty())
        .filter(one -> own || one.point().shared().equals(shared))
        .findFirst();
  }

  /** What one instance can do of the slow method, with users that call. */
  Optional<Measured> capacity() {
    return all.stream().filter(one -> one.point().equals(Form.CAPACITY)).findFirst();
  }

  /** Calls by schedule, by their rate, to this pool. */
  List<Measured> bySchedule(PoolSetting pool) {
    return all.stream()
        .filter(one -> one.point().part() == Part.CAPACITY && one.point().perSecond() > 0)
        .filter(one -> one.point().shared().equals(pool))
        .sorted(Comparator.comparingInt(one -> one.point().perSecond()))
        .toList();
  }

  /** The point with so many I/O threads. */
  Optional<Measured> readBy(int threads) {
    return all.stream()
        .filter(one -> one.point().part() == Part.READERS && one.point().readers() == threads)
        .findFirst();
  }

  private static boolean isOf(Measured one, Method method) {
    return one.point().users().containsKey(method);
  }
}
