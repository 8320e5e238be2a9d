// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.Objects;

/** A name. */
public interface HystrixKey {

  /** The name. */
  String name();

  /** A key that has its name given; for keys of one's own. */
  abstract class HystrixKeyDefault implements HystrixKey {

    private final String name;

    /** Of this name. */
    public HystrixKeyDefault(String name) {
      this.name = Objects.requireNonNull(name, "name");
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
