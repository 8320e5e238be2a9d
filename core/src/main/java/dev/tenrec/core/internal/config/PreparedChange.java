// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

/** A change that has been checked and can be applied. */
@FunctionalInterface
public interface PreparedChange {

  /** Nothing to do. */
  PreparedChange NONE = () -> {};

  /** Makes it seen. */
  void apply();

  /** Lets go of what was made for it: it is not applied. Does nothing by default. */
  default void discard() {}
}
