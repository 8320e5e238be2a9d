// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a collapser's call that {@code mapResponseToRequests} gave more than one item, or
 * an item before it failed it.
 *
 * @param items at least one, in their order; each may be null
 * @param error what comes after the items; null if there is none
 */
record Emissions(List<?> items, @Nullable Throwable error) {

  /** What a caller gets whose door has room for one answer. */
  Throwable failure(String collapserKey) {
    return error != null
        ? error
        : new IllegalArgumentException(
            collapserKey
                + " answered one call with "
                + items.size()
                + " items: execute() and queue() have one answer, toObservable() brings all");
  }
}
