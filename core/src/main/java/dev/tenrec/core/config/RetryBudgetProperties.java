// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.List;

/**
 * The properties of a budget of further attempts that several commands share, {@code
 * <prefix>.retrybudget.<name or default>.<name>}.
 */
public final class RetryBudgetProperties {

  private static final Declarations DECLARED = new Declarations("retrybudget");

  /**
   * How many further attempts there may be for a hundred executions, of all commands that share it,
   * in the last ten seconds; 20 by default.
   */
  public static final Property<Integer> PERCENT =
      DECLARED.count("percent", 20, Rule.between(0, 100));

  /** How many further attempts there may be in each second besides; 3 by default. */
  public static final Property<Integer> PER_SECOND =
      DECLARED.count("perSecond", 3, Rule.between(0, 1_000));

  private static final List<Property<?>> ALL = DECLARED.all();

  private RetryBudgetProperties() {}

  /**
   * All properties of a shared budget, in the order of their {@linkplain Property#index() indices}.
   */
  public static List<Property<?>> all() {
    return ALL;
  }
}
