// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

/** Has another thread deliver to a member whose ending is published: that runs user code. */
@FunctionalInterface
public interface Deliverer {

  /** Has it delivered to soon, on another thread. Neither waits nor throws, nor takes memory. */
  void deliver(Member<?> settled);

  /** For tests: on this thread. */
  Deliverer HERE = Member::run;
}
