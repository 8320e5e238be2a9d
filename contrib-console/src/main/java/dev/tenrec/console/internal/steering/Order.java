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
    set = set == null ? Map.of() : checked(set);
    clear = clear == null ? List.of() : texts("clear", clear);
    members = members == null ? List.of() : texts("members", members);
    clear.forEach(key -> plain("key", key));
  }

  private static Map<String, String> checked(Map<String, String> set) {
    set.forEach(
        (key, value) -> {
          var unused = plain("key", key);
          if (value == null) {
            throw new IllegalArgumentException(
                "set: " + key + ": null, expected a text; to take a key out, name it in clear");
          }
          if (!value.isEmpty()) {
            unused = plain("value", value);
          }
        });
    return Map.copyOf(set);
  }

  private static List<String> texts(String what, List<String> given) {
    for (int i = 0; i < given.size(); i++) {
      if (given.get(i) == null) {
        throw new IllegalArgumentException(what + ": null at " + i + ", expected a text");
      }
    }
    return List.copyOf(given);
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
