// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.core.TenrecBuilder;

/** A bean of this type may change the Tenrec that auto-configuration makes. */
@FunctionalInterface
public interface TenrecCustomizer {

  /** Changes what is not right for the application. */
  void customize(TenrecBuilder builder);
}
