// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.RetryBudgetProperties;
import java.util.List;

/**
 * The figures of a budget of further attempts that several commands share.
 *
 * @param percent how many there may be for a hundred executions
 * @param perSecond how many there may be in each second besides
 */
public record RetryBudgetSettings(int percent, int perSecond) {

  static final Scope<RetryBudgetSettings> SCOPE =
      new Scope<>(
          new PropertyTable(RetryBudgetProperties.all()),
          List.of(),
          values ->
              new RetryBudgetSettings(
                  values.get(RetryBudgetProperties.PERCENT),
                  values.get(RetryBudgetProperties.PER_SECOND)));
}
