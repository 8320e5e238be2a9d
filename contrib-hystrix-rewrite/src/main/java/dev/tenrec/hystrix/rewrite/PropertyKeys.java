// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys of Hystrix that Tenrec has none for. */
final class PropertyKeys {

  private static final Map<String, String> LEFT =
      Map.of(
          "hystrix.timer",
          "no counterpart: TenrecBuilder.callbacks sizes the executor that runs user code",
          "hystrix.plugin",
          "no counterpart: give the object to the builder of the Tenrec",
          "hystrix.stream",
          "no counterpart: give intervals and limits to the stream");

  private PropertyKeys() {}

  /** What to do about a key; null if it is moved, or none of Hystrix's. */
  static @Nullable String adviceFor(String key) {
    for (Map.Entry<String, String> left : LEFT.entrySet()) {
      if (key.equals(left.getKey()) || key.startsWith(left.getKey() + ".")) {
        return left.getValue();
      }
    }
    return null;
  }
}
