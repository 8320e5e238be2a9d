// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.model;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Which instances try the canary's settings out, and until when.
 *
 * @param id the version that started the canary; unique
 * @param members instances by their id
 * @param sharePercent besides these, which share of all instances, in per cent; always the same
 *     ones for one canary
 * @param startMillis when it began, by the store's clock; null for when its document was written
 * @param forMillis how long it lasts: then its members leave it by themselves
 * @param guard what makes a member leave it before; null for nothing
 */
public record Canary(
    long id,
    Set<String> members,
    int sharePercent,
    @Nullable Long startMillis,
    long forMillis,
    @Nullable CanaryGuard guard) {

  /** Checks all of it. */
  public Canary {
    members = members == null ? Set.of() : Set.copyOf(members);
    if (sharePercent < 0 || sharePercent > 100) {
      throw new IllegalArgumentException(
          "a canary's share must be from 0 to 100 per cent, was " + sharePercent);
    }
    if (members.isEmpty() && sharePercent == 0) {
      throw new IllegalArgumentException("a canary needs members, by their ids or by a share");
    }
    if (forMillis <= 0) {
      throw new IllegalArgumentException("a canary must last longer than 0, was " + forMillis);
    }
  }

  /** Whether an instance belongs to it. */
  public boolean has(String instance) {
    if (members.contains(instance)) {
      return true;
    }
    CRC32 hash = new CRC32(); // of both, so that each canary gets other instances
    hash.update((id + "/" + instance).getBytes(StandardCharsets.UTF_8));
    return hash.getValue() % 100 < sharePercent;
  }

  /** When it ends, by the store's clock; {@link Long#MAX_VALUE} at the most. */
  public long endMillis(long writtenMillis) {
    return Setting.end(startMillis == null ? writtenMillis : startMillis, forMillis);
  }

  /** The same with a beginning. */
  public Canary begun(long writtenMillis) {
    return startMillis != null
        ? this
        : new Canary(id, members, sharePercent, writtenMillis, forMillis, guard);
  }
}
