// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the users of a closed load were there. By Little's law their number is the summed time of
 * their calls inside the window, divided by the window. A load with fewer users than its label says
 * measured another load than the one it names.
 *
 * @param users how many the label says; 0 for a load without users
 * @param seconds the length of the window; 0 if it never began
 * @param present how many were in a call, on average over the window
 * @param answered calls that were answered inside the window
 * @param exempt why nothing is asked of this load; empty if its users have to be there
 */
public record Presence(int users, double seconds, double present, long answered, String exempt) {

  /** How far the users may be from their number, as a share of it. */
  public static final double TOLERANCE = 0.1;

  /** Of a load by schedule, which has no users. */
  public static final Presence OPEN = new Presence(0, 0, 0, 0, "open load");

  /** Of a closed load in which each user calls once: it has no time in which all are there. */
  public static final String ONE_CALL = "a user makes one call";

  /** The users that were there, divided by those of the label; 0 for a load without users. */
  public double share() {
    return users == 0 ? 0 : present / users;
  }

  /** Whether the load is not what its label says. */
  public boolean isOff() {
    return exempt.isEmpty() && Math.abs(share() - 1) > TOLERANCE;
  }

  /** For a table: the share, with a mark if it is off, or why there is none. */
  public String said() {
    if (!exempt.isEmpty()) {
      return users == 0 ? "-" : "exempt: " + exempt;
    }
    return String.format(Locale.ROOT, "%.2f%s", share(), isOff() ? " OFF" : "");
  }

  /** It as a map, for a report. */
  public Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("users", users);
    figures.put("windowSeconds", seconds);
    figures.put("present", present);
    figures.put("share", exempt.isEmpty() ? share() : null);
    figures.put("answeredInWindow", answered);
    figures.put("off", isOff());
    figures.put("exempt", exempt.isEmpty() ? null : exempt);
    return figures;
  }
}
