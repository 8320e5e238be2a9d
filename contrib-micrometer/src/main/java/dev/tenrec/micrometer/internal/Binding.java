// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal;

/** What one registry was given; closing takes all of it out again. */
@FunctionalInterface
public interface Binding extends AutoCloseable {

  @Override
  void close();
}
