// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

/** A name. */
public interface HystrixKey {

  /** The name. */
  String name();
}
