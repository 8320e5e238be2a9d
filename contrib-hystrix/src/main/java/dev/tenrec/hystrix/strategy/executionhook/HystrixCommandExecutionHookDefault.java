// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.executionhook;

/** The hook that does nothing: it is in force while no other is registered. */
public final class HystrixCommandExecutionHookDefault extends HystrixCommandExecutionHook {

  private static final HystrixCommandExecutionHookDefault ONLY =
      new HystrixCommandExecutionHookDefault();

  private HystrixCommandExecutionHookDefault() {}

  /** It. */
  public static HystrixCommandExecutionHook getInstance() {
    return ONLY;
  }
}
