// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.eventnotifier;

/** The notifier that does nothing: it is in force while no other is registered. */
public final class HystrixEventNotifierDefault extends HystrixEventNotifier {

  private static final HystrixEventNotifierDefault ONLY = new HystrixEventNotifierDefault();

  private HystrixEventNotifierDefault() {}

  /** It. */
  public static HystrixEventNotifier getInstance() {
    return ONLY;
  }
}
