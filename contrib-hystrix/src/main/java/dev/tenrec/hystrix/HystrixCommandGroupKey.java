// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.Objects;

/**
 * The name of a group of commands, which share a thread pool unless they name another. Equal by
 * name.
 */
public interface HystrixCommandGroupKey extends HystrixKey {

  /** Makes keys of names. */
  final class Factory {

    private record Named(String name) implements HystrixCommandGroupKey {
      @Override
      public String toString() {
        return name;
      }
    }

    private Factory() {}

    /** The key of this name. */
    public static HystrixCommandGroupKey asKey(String name) {
      return new Named(Objects.requireNonNull(name, "name"));
    }
  }
}
