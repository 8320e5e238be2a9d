// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why the gateway did not pass a call on, as its answer says in a header.
 *
 * @param command whose limit it was
 * @param reason what refused it: {@code SEMAPHORE}, or {@code CIRCUIT_OPEN}
 * @param limit how many calls it allows at once; 0 for a circuit
 * @param inUse how many there were; 0 for a circuit
 * @param why for a circuit, the numbers it opened on; else empty
 */
public record Refusal(String command, String reason, int limit, int inUse, String why) {

  /** The name of the header. */
  public static final String HEADER = "Refused";

  /** Of a refusal by a circuit. */
  public static final String CIRCUIT_OPEN = "CIRCUIT_OPEN";

  private static final Pattern TEXT =
      Pattern.compile(
          "command=([^;]*); reason=([A-Z_]+)(?:; limit=(\\d{1,9}); in-use=(\\d{1,9})|; why=(.+))");

  /** What an execution ended with, if that is a refusal; else null. */
  static @Nullable Refusal of(Throwable error) {
    if (error instanceof CommandRejectedException full) {
      return new Refusal(full.commandKey(), full.reason().name(), full.limit(), full.inUse(), "");
    }
    if (error instanceof CircuitOpenException open) {
      return new Refusal(open.commandKey(), CIRCUIT_OPEN, 0, 0, open.reason());
    }
    return null;
  }

  /** The value of the header. */
  public String text() {
    String who = "command=" + command + "; reason=" + reason;
    return why.isEmpty() ? who + "; limit=" + limit + "; in-use=" + inUse : who + "; why=" + why;
  }

  /**
   * Back from what {@link #text} made.
   *
   * @return null if it explains nothing
   */
  public static @Nullable Refusal parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    return parts.group(3) == null
        ? new Refusal(parts.group(1), parts.group(2), 0, 0, parts.group(5))
        : new Refusal(
            parts.group(1),
            parts.group(2),
            Integer.parseInt(parts.group(3)),
            Integer.parseInt(parts.group(4)),
            "");
  }
}
