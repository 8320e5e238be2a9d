// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

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

    /** For good: so two keys of one name are one object, as those of Hystrix were. */
    private static final ConcurrentMap<String, HystrixCollapserKey> KEYS =
        new ConcurrentHashMap<>();

    private Factory() {}

    /** The key of this name, the same object each time. */
    public static HystrixCollapserKey asKey(String name) {
      HystrixCollapserKey known = KEYS.get(Objects.requireNonNull(name, "name"));
      return known != null ? known : KEYS.computeIfAbsent(name, Named::new);
    }
  }
}
