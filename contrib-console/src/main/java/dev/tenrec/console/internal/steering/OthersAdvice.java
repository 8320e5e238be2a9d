// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.steering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.core.advice.Proposal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the adviser of another instance has said. An operator's form is filled with it, so nothing
 * gets there that no adviser proposes.
 */
final class OthersAdvice {

  private static final ObjectMapper JSON = new ObjectMapper();

  private OthersAdvice() {}

  /**
   * Whether each of its proposals is one that an adviser makes of that command.
   *
   * @param command the key of the one that was asked about; null for any, by an id that only the
   *     instance knows: the page looks whether it is the one that it shows
   */
  static boolean isAdvisers(@Nullable String command, byte[] said) {
    try {
      JsonNode advice = JSON.readTree(said);
      String key = advice.path("key").asText();
      if (command != null && !command.equals(key)) {
        return false;
      }
      for (JsonNode each : advice.path("proposals")) {
        Proposal proposal =
            new Proposal(
                each.path("scope").asText(),
                each.path("key").asText(),
                each.path("property").asText(),
                each.path("present").asText(),
                each.path("proposed").asText(),
                each.path("reason").asText());
        if (!proposal.isOf(key)) {
          return false;
        }
      }
      return true;
    } catch (IOException none) {
      return false;
    }
  }
}
