// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

/** Rethrows what a method handle threw, as it is. */
public final class SneakyThrow {

  private SneakyThrow() {}

  /** Throws it, whatever it is; written {@code throw unchecked(e)} so that the compiler knows. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // erased: nothing is checked
  public static <E extends Throwable> RuntimeException unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
