// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.Objects;

/** The name of a command: what its settings, metrics, circuit and messages go by. Equal by name. */
public interface HystrixCommandKey extends HystrixKey {

  /** Makes keys of names. */
  final class Factory {

    private record Named(String name) implements HystrixCommandKey {
      @Override
      public String toString() {
        return name;
      }
    }

    private Factory() {}

    /** The key of this name. */
    public static HystrixCommandKey asKey(String name) {
      return new Named(Objects.requireNonNull(name, "name"));
    }
  }
}
