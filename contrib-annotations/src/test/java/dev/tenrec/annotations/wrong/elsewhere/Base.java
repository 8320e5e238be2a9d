// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong.elsewhere;

import dev.tenrec.annotations.Command;

/** A superclass in another package than the beans that extend it. */
public class Base {

  @Command
  String hidden() {
    return "unguarded";
  }

  /** A call of it, for beans elsewhere. */
  public final String call() {
    return hidden();
  }
}
