// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

import dev.tenrec.core.config.Subscription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a fleet needs of the engine that keeps its settings, for one application and by one session:
 * texts by name, written in transactions; texts that go when their session does; and notifications.
 * Names are paths of parts from {@code A-Z a-z 0-9 . _ -}, such as {@code config/zone/a}.
 *
 * <p>A new store extends {@code FleetStoreContract}, the test that every store has to pass.
 *
 * <p>Thread-safe. Every method but {@link #watch} and {@link #close} may wait for the engine, and
 * throws {@link StoreUnavailableException} if it cannot be reached.
 */
public interface FleetStore extends AutoCloseable {

  /** The text of this name; null if there is none. */
  @Nullable Stored read(String name);

  /**
   * The texts of these names, in their order, with null for each that there is none of. They need
   * not be of one moment.
   *
   * <p>Default: reads one after the other. A store that can ask for all at once saves an operator
   * the way there and back for each instance.
   */
  default List<@Nullable Stored> readAll(List<String> names) {
    List<@Nullable Stored> all = new ArrayList<>(names.size());
    for (String name : names) {
      all.add(read(name));
    }
    return all;
  }

  /**
   * The last parts of the names directly below {@code folder}, in no order. Empty if there are
   * none.
   */
  List<String> names(String folder);

  /**
   * Writes all of it or nothing.
   *
   * @throws StaleWriteException if the guard has another revision than expected; nothing was
   *     written
   * @throws StoreUnavailableException if the engine cannot be reached, or was lost while it wrote:
   *     what it has done is unknown then
   * @throws StoreAccessDeniedException if this session may not write
   */
  void commit(Transaction transaction);

  /**
   * Writes a text that stays as long as this session. Announcing a name again replaces its text.
   *
   * @throws NameTakenException if another session has announced this name
   */
  void announce(String name, String text);

  /** Takes back what this session has announced; nothing happens if it has not. */
  void withdraw(String name);

  /**
   * Has {@code listener} called after each change of this name, or of a name below it, and when the
   * engine is lost and found again. Notifications may be merged: a listener reads what there is.
   * They come on a thread of the store's, which must not be held up.
   */
  Subscription watch(String name, StoreListener listener);

  /** The principal of this session; empty if it is not authenticated. */
  String principal();

  /**
   * The time by the engine's clock, in milliseconds since 1970, as {@link Stored#writtenMillis}.
   */
  long nowMillis();

  /** Ends the session, and with it what it has announced. Idempotent. */
  @Override
  void close();
}
