// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.eventnotifier;

import dev.tenrec.hystrix.HystrixCommandKey;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.HystrixEventType;
import java.util.List;

/**
 * Hears of the events of each execution once it has ended, before its caller has the answer;
 * override what is of interest. Registered with {@link
 * dev.tenrec.hystrix.strategy.HystrixPlugins#registerEventNotifier}. Thread-safe. What it throws is
 * logged, and changes nothing.
 */
public abstract class HystrixEventNotifier {

  /** One that does nothing yet. */
  protected HystrixEventNotifier() {}

  /**
   * Something happened in an execution. Items are reported one by one; {@code EXCEPTION_THROWN} is
   * reported after the others where the caller gets an exception and the work was asked for.
   */
  public void markEvent(HystrixEventType eventType, HystrixCommandKey key) {}

  /**
   * The work of an execution has ended well.
   *
   * @param duration of all of it, in milliseconds
   * @param eventsDuringExecution its events, in order
   */
  public void markCommandExecution(
      HystrixCommandKey key,
      ExecutionIsolationStrategy isolationStrategy,
      int duration,
      List<HystrixEventType> eventsDuringExecution) {}
}
