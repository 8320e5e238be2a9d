// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** Hashes: equal for what is equal, on every instance. */
public final class Digest {

  private static final int SHOWN = 16;

  private Digest() {}

  /** Of a text, whole, in hexadecimal. */
  public static String of(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JVM has SHA-256", impossible);
    }
  }

  /** Of a map, whatever its order: the first 16 digits, to be compared by eye as well. */
  public static String of(Map<String, String> map) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(map)
        .forEach( // with their lengths, so that no two maps have one text
            (key, value) ->
                text.append(key.length())
                    .append(':')
                    .append(key)
                    .append(value.length())
                    .append(':')
                    .append(value));
    return of(text.toString()).substring(0, SHOWN);
  }
}
