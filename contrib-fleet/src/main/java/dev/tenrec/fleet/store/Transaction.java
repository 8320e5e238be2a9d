// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Writes that happen together, if one name is still as it was read.
 *
 * @param guard the name that must not have changed; it is among {@code puts}
 * @param expectedRevision the revision of the guard; {@link #ABSENT} if it must not exist yet
 * @param puts new texts by their names
 * @param deletes names that go; those that do not exist do not matter
 */
public record Transaction(
    String guard, long expectedRevision, Map<String, String> puts, Set<String> deletes) {

  /** Expected of a guard that nothing has written yet. */
  public static final long ABSENT = -1;

  /** Copies both collections. */
  public Transaction {
    Objects.requireNonNull(guard, "guard");
    puts = Map.copyOf(puts);
    deletes = Set.copyOf(deletes);
    if (!puts.containsKey(guard)) {
      throw new IllegalArgumentException(
          "the guard " + guard + " must be written by the transaction, or two could pass it");
    }
  }
}
