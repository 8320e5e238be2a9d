// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong with the fleet's settings for one instance. Each change of it is logged once. */
final class Troubles {

  private static final Logger LOG = LoggerFactory.getLogger(Troubles.class);

  /** What can be wrong, so that one trouble does not hide another. */
  enum Trouble {
    STORE,
    LAST_GOOD,
    IDENTITY
  }

  /**
   * By what each is about, in the enum's order. Replaced as a whole by the follower's thread, read
   * by any thread, ordered by volatile access.
   */
  private volatile Map<Trouble, String> present = Map.of();

  /**
   * Notes a trouble, or that there is none any more.
   *
   * @param words what is wrong; null if nothing is
   * @param version of the settings that stay meanwhile
   */
  void set(Trouble about, @Nullable String words, long version) {
    Map<Trouble, String> next = new EnumMap<>(Trouble.class);
    next.putAll(present);
    String before = words == null ? next.remove(about) : next.put(about, words);
    present = next;
    if (words != null && !words.equals(before)) {
      SureLog.error(LOG, "The fleet's settings stay as they are, version {}: {}", version, words);
    } else if (words == null && before != null) {
      SureLog.info(LOG, "Over: {}", before);
    }
  }

  /** All of them, in words. */
  List<String> all() {
    return List.copyOf(present.values());
  }

  /** What a report says of them; null if nothing is wrong. */
  @Nullable String alarm() {
    Map<Trouble, String> reported = new EnumMap<>(Trouble.class);
    reported.putAll(present);
    reported.remove(Trouble.IDENTITY); // an instance that can report has overcome it
    return reported.isEmpty() ? null : String.join("; ", reported.values());
  }
}
