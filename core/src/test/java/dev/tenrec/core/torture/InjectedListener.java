// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.kit.Steps;
import dev.tenrec.core.listener.ListenedCall;
import org.jspecify.annotations.Nullable;

/** Passes a trap at every step; without one it throws at every step. */
final class InjectedListener extends Steps {

  private final @Nullable Trap trap;

  InjectedListener(@Nullable Trap trap) {
    this.trap = trap;
  }

  @Override
  public void step(String step, ListenedCall call, @Nullable Object what) {
    pass(step);
  }

  @Override
  public void onTransition(String commandKey, Transition transition) {
    pass("transition");
  }

  private void pass(String step) {
    if (trap == null) {
      throw new IllegalStateException("a listener that always throws, at " + step);
    }
    trap.pass(step);
  }
}
