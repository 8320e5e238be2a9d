// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

/** The endpoint's configurations, in the order they are run. */
enum Configuration {
  UNGUARDED("unguarded", "unguarded"),
  A("A: first guess", "firstGuess"),
  B("B: by the rules", "byTheRules"),
  C("C: longer queue", "longerQueue"),
  D("D: longer time-out", "longerTimeout"),
  SIZED("Sizing, of this run", "sized");

  private final String title;
  private final String path;

  Configuration(String title, String path) {
    this.title = title;
    this.path = path;
  }

  String title() {
    return title;
  }

  /** Where the application answers with it. */
  String path() {
    return path;
  }

  /** The simple name of its class: of its group, and its pool. */
  String group() {
    return Character.toUpperCase(path.charAt(0)) + path.substring(1);
  }

  boolean isGuarded() {
    return this != UNGUARDED;
  }
}
