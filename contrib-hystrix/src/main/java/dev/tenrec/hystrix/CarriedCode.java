// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.AbstractCommand.UserCode;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategy;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs one piece of user code within what a strategy captured on the caller's thread. */
final class CarriedCode implements Callable<@Nullable Object> {

  private final Callable<@Nullable Object> wrapped;

  /** Written by the thread that runs it, before it does. */
  private @Nullable UserCode<?> code;

  /** On the caller's thread. */
  @SuppressWarnings("this-escape") // the strategy keeps it, and does not call it here
  CarriedCode(HystrixConcurrencyStrategy strategy) {
    this.wrapped = Objects.requireNonNull(strategy.wrapCallable(this), "wrapCallable");
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // a wrapper returns what it was given
  <T extends @Nullable Object> T run(UserCode<T> given) throws Exception {
    code = given;
    return (T) wrapped.call();
  }

  @Override
  public @Nullable Object call() throws Exception {
    return Objects.requireNonNull(code, "called where it was wrapped").run();
  }
}
