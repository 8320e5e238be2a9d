// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lets equal objects be one. The settings of ten thousand commands are of a few kinds; without this
 * they would be a quarter of what a command that was never called costs (benchmark Footprint).
 *
 * <p>Only those asked for last are remembered, so what is in use nowhere else is soon let go. Not
 * thread-safe.
 *
 * @param <T> immutable, and equal by content
 */
final class Interner<T> {

  private static final int REMEMBERED = 64;

  private final Map<T, T> last =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<T, T> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** The first of those equal to {@code candidate} that is still remembered. */
  T shared(T candidate) {
    T first = last.putIfAbsent(candidate, candidate);
    return first == null ? candidate : first;
  }
}
