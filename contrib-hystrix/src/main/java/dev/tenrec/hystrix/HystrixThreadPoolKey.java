// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.Objects;

/** The name of a thread pool, which commands of several groups may share. Equal by name. */
public interface HystrixThreadPoolKey extends HystrixKey {

  /** Makes keys of names. */
  final class Factory {

    private record Named(String name) implements HystrixThreadPoolKey {
      @Override
      public String toString() {
        return name;
      }
    }

    private Factory() {}

    /** The key of this name. */
    public static HystrixThreadPoolKey asKey(String name) {
      return new Named(Objects.requireNonNull(name, "name"));
    }
  }
}
