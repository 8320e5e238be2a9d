// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.metadata;

/**
 * The properties of a shared budget of retries and hedges as a tree, from which editors complete
 * them below any key. Nothing implements it.
 */
public interface RetryBudgetKeys {

  Integer getPercent();

  /** How many there may be for a hundred executions, of all commands that share it. */
  void setPercent(Integer value);

  Integer getPerSecond();

  /** How many there may be in each second besides. */
  void setPerSecond(Integer value);
}
