// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

/**
 * The bounds of {@link Permits} in one word, so that their sum is never read torn: above how many
 * may be out, below how many are out beyond that.
 */
final class PermitBounds {

  private PermitBounds() {}

  static long bounds(int limit, int debt) {
    return ((long) limit << 32) | debt;
  }

  static int limit(long bounds) {
    return (int) (bounds >>> 32);
  }

  static int debt(long bounds) {
    return (int) bounds;
  }

  static int total(long bounds) {
    return limit(bounds) + debt(bounds);
  }
}
