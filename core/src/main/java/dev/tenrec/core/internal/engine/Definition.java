// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.CommandSettings;
import org.jspecify.annotations.Nullable;

/**
 * What code says about one command key. All definitions of a key have to be equal: the first one to
 * come does not silently win.
 *
 * @param group the command's group
 * @param command its settings
 * @param poolKey its pool
 * @param pool what it says about the pool
 * @param semaphoreName the semaphore it shares, or null
 * @param semaphore what it says about that semaphore
 * @param stackTraces whether Tenrec's own exceptions get a stack trace
 */
public record Definition(
    String group,
    CodeSettings command,
    String poolKey,
    CodeSettings pool,
    @Nullable String semaphoreName,
    CodeSettings semaphore,
    boolean stackTraces) {

  /** This definition, with these settings of the command. */
  Definition with(CodeSettings equal) {
    return new Definition(group, equal, poolKey, pool, semaphoreName, semaphore, stackTraces);
  }

  /** The pool it may run on by these settings. */
  String poolKey(CommandSettings settings) {
    String override = settings.threadPoolKeyOverride();
    return override != null ? override : poolKey;
  }
}
