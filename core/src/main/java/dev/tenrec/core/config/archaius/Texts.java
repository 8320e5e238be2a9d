// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import com.netflix.archaius.api.Config;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a config's values as text, with <code>${...}</code> replaced where that is possible. */
final class Texts {

  private Texts() {}

  /** All values whose key begins with {@code start}. */
  static Map<String, String> startingWith(String start, Config config) {
    Map<String, String> texts = new HashMap<>();
    for (String key : config.keys()) {
      String text = key.startsWith(start) ? text(config, key) : null;
      if (text != null) {
        texts.put(key, text);
      }
    }
    return texts;
  }

  /**
   * One that refers to itself, takes too many others, or is no text, is given as it stands: it is
   * refused where it is parsed. A config of the application's may have an interpolator that calls
   * itself without a bound; nothing of ours is under way when it has no stack left.
   */
  private static @Nullable String text(Config config, String key) {
    try {
      return config.getString(key, null);
    } catch (RuntimeException | StackOverflowError notToBeResolved) {
      Object raw = config.getRawProperty(key);
      return raw == null ? null : raw.toString();
    }
  }
}
