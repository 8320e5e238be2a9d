// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.steering;

import dev.tenrec.fleet.model.CanaryGuard;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change as a page or a script sends it. It has no author: that is its sender.
 *
 * @param action what to do: {@code dry-run}, {@code set}, {@code canary}, {@code promote}, {@code
 *     rollback}, {@code undo}, {@code freeze} or {@code thaw}
 * @param reason why
 * @param id given by the sender, so that it may be sent again
 * @param expect the version it is based on; null for any
 * @param layer of what is set or cleared; null for the canary's
 * @param set what to set, by full key
 * @param clear what to take out
 * @param forSeconds for how long what is set counts; null for always
 * @param members of a canary, by their ids
 * @param share of all instances besides, in per cent
 * @param lastsSeconds how long the canary lasts; null if there is none to begin
 * @param guard what makes members leave; null for nothing
 * @param version what to undo
 */
record Order(
    String action,
    String reason,
    String id,
    @Nullable Long expect,
    @Nullable String layer,
    Map<String, String> set,
    List<String> clear,
    @Nullable Long forSeconds,
    List<String> members,
    int share,
    @Nullable Long lastsSeconds,
    @Nullable CanaryGuard guard,
    @Nullable Long version) {

  /** What ends in histories, logs and pages is short, and one line. */
  private static final int LONGEST = 1_000;

  /** Fills in what is missing, and checks what does not depend on the action. */
  Order {
    action = Objects.requireNonNullElse(action, "");
    reason = plain("reason", reason);
    id = plain("id", id);
    set = set == null ? Map.of() : Map.copyOf(set);
    clear = clear == null ? List.of() : List.copyOf(clear);
    members = members == null ? List.of() : List.copyOf(members);
    set.forEach(
        (key, value) -> {
          var unused = plain("key", key);
          if (!value.isEmpty()) {
            unused = plain("value", value);
          }
        });
    clear.forEach(key -> plain("key", key));
  }

  private static String plain(String what, @Nullable String text) {
    if (text == null
        || text.isBlank()
        || text.length() > LONGEST
        || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          what + ": expected one line of 1 to " + LONGEST + " characters");
    }
    return text;
  }

  boolean isDryRun() {
    return action.equals("dry-run");
  }
}
