// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.steering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.core.advice.Proposal;
import java.io.IOException;

/**
 * What the adviser of another instance has said. An operator's form is filled with it, so nothing
 * gets there that no adviser proposes.
 */
final class OthersAdvice {

  private static final ObjectMapper JSON = new ObjectMapper();

  private OthersAdvice() {}

  /** Whether each of its proposals is one that an adviser makes of that command. */
  static boolean isAdvisers(byte[] said) {
    try {
      JsonNode advice = JSON.readTree(said);
      for (JsonNode each : advice.path("proposals")) {
        Proposal proposal =
            new Proposal(
                each.path("scope").asText(),
                each.path("key").asText(),
                each.path("property").asText(),
                each.path("present").asText(),
                each.path("proposed").asText(),
                each.path("reason").asText());
        if (!proposal.isOf(advice.path("key").asText())) {
          return false;
        }
      }
      return true;
    } catch (IOException none) {
      return false;
    }
  }
}
