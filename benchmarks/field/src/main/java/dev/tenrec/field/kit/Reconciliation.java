// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.util.ArrayList;
import java.util.List;

/** Collects where two sides disagree that counted the same calls. Not thread-safe. */
public final class Reconciliation {

  private final List<String> differences = new ArrayList<>();

  /** These two have to be equal. */
  public void same(String one, long oneCount, String other, long otherCount) {
    if (oneCount != otherCount) {
      differences.add(one + " is " + oneCount + ", but " + other + " is " + otherCount);
    }
  }

  /** This one has to be between these two, both included. */
  public void between(
      String name, long count, String least, long leastCount, String most, long mostCount) {
    if (count < leastCount || count > mostCount) {
      differences.add(
          name
              + " is "
              + count
              + ", expected at least "
              + leastCount
              + " ("
              + least
              + ") and at most "
              + mostCount
              + " ("
              + most
              + ")");
    }
  }

  /**
   * What a service counted of calls of which the driver saw this many. A call that failed for the
   * driver may have reached the service, or not.
   */
  public void seen(String name, long count, long seen, long failed) {
    between(name, count, "the driver's", seen, "these and the failed", seen + failed);
  }

  /** Something else that is wrong. */
  public void add(String difference) {
    differences.add(difference);
  }

  /** Those of a part, with its name. */
  public void addAll(Object part, List<String> found) {
    found.forEach(difference -> add(part + ": " + difference));
  }

  /** What does not agree; nothing, if all does. */
  public List<String> differences() {
    return List.copyOf(differences);
  }
}
