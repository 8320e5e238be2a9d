// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.engine.Registry;

/** Builds one guard. See {@link CommandOptions} for what can be said. */
public final class GuardBuilder extends CommandOptions<GuardBuilder> {

  private final Tenrec tenrec;

  GuardBuilder(Tenrec tenrec, String key) {
    super(key);
    this.tenrec = tenrec;
  }

  @Override
  GuardBuilder self() {
    return this;
  }

  /** Short for {@code isolation(Isolation.semaphore(maxConcurrent))}. */
  public GuardBuilder semaphore(int maxConcurrent) {
    return isolation(Isolation.semaphore(maxConcurrent));
  }

  /**
   * The guard. If its key was built before with equal settings, both share their circuit breaker,
   * permits and metrics.
   *
   * @throws IllegalArgumentException as {@link CommandBuilder#build}
   * @throws IllegalStateException as {@link CommandBuilder#build}
   */
  public Guard build() {
    Registry.Entry entry = tenrec.registry().command(key, definition(null));
    return new Guard(
        entry.runtime(),
        new Classification(ignored(), Classification.ANY_RESULT),
        tenrec.prelude());
  }
}
