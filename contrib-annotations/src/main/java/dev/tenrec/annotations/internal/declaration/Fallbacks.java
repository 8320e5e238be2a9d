// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The methods that answer for one command.
 *
 * @param bySpecificity most specific exception first; one that takes none is last
 * @param takesArguments whether they are given the command's arguments
 */
public record Fallbacks(List<FallbackMethod> bySpecificity, boolean takesArguments) {

  /** The fallback method for this exception; null if none takes it. */
  public @Nullable FallbackMethod forCause(Throwable thrown) {
    for (FallbackMethod method : bySpecificity) {
      if (method.takes(thrown)) {
        return method;
      }
    }
    return null;
  }

  /** Whether one of them returns a stage or a reactive type. */
  public boolean someAreWrapped() {
    return bySpecificity.stream().anyMatch(FallbackMethod::isWrapped);
  }
}
