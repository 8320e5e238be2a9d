// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import java.util.List;
import java.util.SortedMap;

/**
 * How far a version has come.
 *
 * @param version the version
 * @param applied the instances that go by it, or by a later one
 * @param waiting the others, each with the reason
 * @param remarks what instances that go by it refused, or mask with something of their own
 */
public record Rollout(
    long version,
    List<String> applied,
    SortedMap<String, String> waiting,
    SortedMap<String, String> remarks) {

  /** Whether all instances go by it that the store knows of. */
  public boolean isComplete() {
    return waiting.isEmpty();
  }
}
