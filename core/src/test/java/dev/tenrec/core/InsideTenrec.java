// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.engine.Registry;

/** What tests may know of a Tenrec's inside and users may not. */
public final class InsideTenrec {

  private InsideTenrec() {}

  /** Its commands, pools and collapsers. */
  public static Registry registry(Tenrec tenrec) {
    return tenrec.registry();
  }
}
