// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.event;

import dev.tenrec.metrics.view.CommandView;

/**
 * Keys as the dashboard can bear them: it writes a name into its page as it comes, so quotes,
 * brackets of tags and line breaks would be markup there.
 */
final class CleanName {

  private static final int LONGEST = 200;
  private static final String ALLOWED = "._-:/(),#$@[]";

  private CleanName() {}

  /**
   * The key itself if it is harmless. Else what is not is an underscore, and the hash of the key
   * keeps it from being taken for another.
   */
  static String of(String key) {
    int length = Math.min(key.length(), LONGEST);
    int harmless = 0;
    while (harmless < length && isHarmless(key.charAt(harmless))) {
      harmless++;
    }
    if (harmless == key.length()) {
      return key;
    }
    StringBuilder clean = new StringBuilder(length + 9).append(key, 0, harmless);
    for (int i = harmless; i < length; i++) {
      clean.append(isHarmless(key.charAt(i)) ? key.charAt(i) : '_');
    }
    return clean.append('~').append(Integer.toHexString(key.hashCode())).toString();
  }

  /** The pool of a command; of one that has none, the name that Hystrix would have given it. */
  static String ofPool(CommandView command) {
    String pool = command.threadPoolKey();
    return of(pool == null ? command.group() : pool);
  }

  /** Halves of a pair of surrogates are not, so no pair is ever cut. */
  private static boolean isHarmless(char sign) {
    return Character.isLetterOrDigit(sign) || ALLOWED.indexOf(sign) >= 0;
  }
}
