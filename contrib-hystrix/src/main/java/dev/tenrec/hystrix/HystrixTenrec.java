// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.config.Property;
import dev.tenrec.hystrix.archaius.ArchaiusOneSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one Tenrec that stands behind all commands of this package in this process. It is made where
 * it is first needed, with the prefix {@code hystrix}, unless one is {@link #set}. Its dynamic
 * properties are those of Archaius 1 if that is on the class path, else system properties and what
 * is set on the Tenrec.
 */
public final class HystrixTenrec {

  /** Written under this class's lock, read by any thread, ordered by volatile access. */
  private static volatile @Nullable KnownKeys known;

  private HystrixTenrec() {}

  /** The Tenrec in use, made now if there is none. */
  public static Tenrec get() {
    return known().tenrec;
  }

  /**
   * The description of the Tenrec that is made if none is set, to be completed: property keys begin
   * with {@code hystrix}, pools' threads are called {@code hystrix-<pool>-<n>}, and those that
   * answer for time-outs {@code HystrixTimer-<n>}.
   */
  public static TenrecBuilder builder() {
    return Tenrec.builder()
        .prefix("hystrix")
        .threadNames("hystrix", "HystrixTimer")
        .requestLogLimit(0);
  }

  /**
   * Has all commands from now on use this Tenrec. One that was made here is closed, without waiting
   * for its work; one that was set stays open, and its owner closes it.
   */
  public static synchronized void set(Tenrec tenrec) {
    reset();
    known = new KnownKeys(tenrec, false);
  }

  /**
   * Forgets the Tenrec, and takes the commands of this package out of it: the next makes a new one.
   * One that was made here is closed, without waiting for its work. For tests.
   */
  public static void reset() {
    reset(0, TimeUnit.NANOSECONDS);
  }

  static void reset(long time, TimeUnit unit) {
    KnownKeys before = take();
    if (before != null) { // not under the lock: calls in flight, waited for, may make commands
      if (before.ours) {
        var unused = before.tenrec.close(Duration.of(time, unit.toChronoUnit()));
      }
      before.forget();
    }
  }

  private static synchronized @Nullable KnownKeys take() {
    KnownKeys before = known;
    known = null;
    return before;
  }

  static KnownKeys known() {
    KnownKeys present = known;
    return present != null ? present : make();
  }

  /** Null if nothing was needed yet. */
  static @Nullable KnownKeys knownIfAny() {
    return known;
  }

  private static synchronized KnownKeys make() {
    KnownKeys present = known;
    if (present == null) {
      TenrecBuilder described = builder();
      if (ArchaiusOneSource.isPresent()) { // as Hystrix did
        described.source(ArchaiusOneSource.open());
      }
      known = present = new KnownKeys(described.build(), true);
    }
    return present;
  }

  static <T> @Nullable T setting(Property<T> property, String key) {
    KnownKeys present = known;
    return present == null ? null : present.tenrec.setting(property, key);
  }
}
