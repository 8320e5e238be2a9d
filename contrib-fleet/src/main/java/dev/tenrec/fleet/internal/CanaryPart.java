// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.CanaryGuard;
import dev.tenrec.fleet.model.FleetLayer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance's part in canaries: whether it is in one, and why it has left. Used by the follower's
 * thread, and by the starting thread before that; only {@link #words} is read by others.
 */
final class CanaryPart {

  private static final Logger LOG = LoggerFactory.getLogger(CanaryPart.class);

  private final String instance;
  private @Nullable GuardWatch guarding;
  private long left;

  /** Written by the follower's thread, read by any thread, ordered by volatile access. */
  private volatile @Nullable String words;

  CanaryPart(String instance) {
    this.instance = instance;
  }

  /** The canary that it has left by itself; 0 for none. */
  long left() {
    return left;
  }

  /** It had left this one before its start. */
  void hasLeft(long canary) {
    left = canary;
  }

  /** In words; null if there is nothing to say. */
  @Nullable String words() {
    return words;
  }

  /** Whether a guard is watched, which has to be looked at. */
  boolean isGuarded() {
    return guarding != null;
  }

  /** Begins to watch a canary's guard, if there is another one than before. */
  void guard(@Nullable Canary joined, @Nullable Tenrec observed) {
    CanaryGuard guard = joined == null ? null : joined.guard();
    if (observed == null || joined == null || guard == null) {
      guarding = null;
    } else if (guarding == null || guarding.canary() != joined.id()) {
      guarding = GuardWatch.start(joined.id(), guard, observed);
    }
  }

  /** Leaves the canary whose guard has tripped; returns whether it does. */
  boolean leaveIfTripped(@Nullable Tenrec observed) {
    GuardWatch watched = guarding;
    String why = observed == null || watched == null ? null : watched.tripped(observed);
    if (watched == null || why == null) {
      return false;
    }
    left = watched.canary();
    words = "left " + left + ": " + why;
    SureLog.warn(LOG, "Left the canary {}: {}", left, why);
    return true;
  }

  /**
   * Finds the words for what was merged.
   *
   * @param held has the canary that there is
   * @param before the canary that the instance was in; null for none
   * @param now the one that it is in; null for none
   */
  void describe(Held held, @Nullable Canary before, @Nullable Canary now) {
    Canary there = held.of(FleetLayer.CANARY).document().canary();
    if (now != null) {
      words = "in " + now.id();
    } else if (there == null || !there.has(instance)) {
      words = null;
    } else if (before != null && there.id() == before.id() && there.id() != left) {
      words = "left " + there.id() + ": its end has come";
    } else if (there.id() == left && words == null) {
      words = "left " + there.id() + ": before this start";
    }
  }
}
