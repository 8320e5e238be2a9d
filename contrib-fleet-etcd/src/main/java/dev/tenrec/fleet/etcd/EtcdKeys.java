// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Under which keys of etcd's an application's names are, and how the gateway writes them. */
final class EtcdKeys {

  /** What comes right after {@code /}: a range up to it has all that begins with the slash. */
  private static final String AFTER_SLASH = "0";

  private final String base;

  EtcdKeys(String base) {
    this.base = base;
  }

  String of(String name) {
    return encode(base + "/" + name);
  }

  /** The range of all names below {@code folder}, in this message. */
  ObjectNode below(String folder) {
    return range(folder + "/", folder + AFTER_SLASH);
  }

  /**
   * A range with {@code name} and all names below it, in this message. It has others, too, such as
   * {@code head-2} beside {@code head}: {@link #isAtOrBelow}.
   */
  ObjectNode around(String name) {
    return range(name, name + AFTER_SLASH);
  }

  private ObjectNode range(String from, String to) {
    return EtcdGateway.message().put("key", of(from)).put("range_end", of(to));
  }

  /** The name of this key, which has to be of this application. */
  String name(JsonNode encodedKey) {
    return decode(encodedKey).substring(base.length() + 1);
  }

  static boolean isAtOrBelow(String name, String watched) {
    return name.equals(watched) || name.startsWith(watched + "/");
  }

  static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static String decode(JsonNode encoded) {
    return new String(Base64.getDecoder().decode(encoded.asText()), StandardCharsets.UTF_8);
  }
}
