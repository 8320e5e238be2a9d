// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.Objects;

/** The name of a collapser. Equal by name. */
public interface HystrixCollapserKey extends HystrixKey {

  /** Makes keys of names. */
  final class Factory {

    private record Named(String name) implements HystrixCollapserKey {
      @Override
      public String toString() {
        return name;
      }
    }

    private Factory() {}

    /** The key of this name. */
    public static HystrixCollapserKey asKey(String name) {
      return new Named(Objects.requireNonNull(name, "name"));
    }
  }
}
