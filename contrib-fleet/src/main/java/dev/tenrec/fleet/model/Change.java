// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the history.
 *
 * @param version the version it made
 * @param id given by the author's tool, so that a lost reply can be resolved
 * @param kind what it was: {@code set}, {@code canary}, {@code promote}, {@code rollback}, {@code
 *     undo}, {@code freeze}, {@code thaw} or {@code restore}; {@code damaged} for an entry that
 *     cannot be read, whose reason says why
 * @param author as what the store had authenticated the session that made it
 * @param reason why, in the author's words; after these, in brackets, which layers were written
 *     anew, for their documents did not fit
 * @param whenMillis when, by the store's clock; 0 in the store itself
 * @param canary which instances, until when and guarded by what, if it began a canary; else null
 * @param differences what it changed, key by key
 */
public record Change(
    long version,
    String id,
    String kind,
    String author,
    String reason,
    long whenMillis,
    @Nullable Canary canary,
    List<Difference> differences) {

  /** Copies the differences. */
  public Change {
    differences = differences == null ? List.of() : List.copyOf(differences);
  }

  /** The same, with the time the store has for it. */
  public Change at(long millis) {
    return new Change(version, id, kind, author, reason, millis, canary, differences);
  }
}
