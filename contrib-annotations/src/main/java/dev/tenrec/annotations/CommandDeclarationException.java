// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.util.List;
import java.util.stream.Collectors;

/** Stops the start of an application whose annotations are wrong; reports all mistakes at once. */
public final class CommandDeclarationException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final transient List<Mistake> mistakes;

  /**
   * For the start-up check.
   *
   * @param mistakes all that were found, at least one
   */
  public CommandDeclarationException(List<Mistake> mistakes) {
    super(words(mistakes));
    this.mistakes = List.copyOf(mistakes);
  }

  private static String words(List<Mistake> mistakes) {
    return (mistakes.size() == 1
            ? "1 mistake in the annotations of commands:\n"
            : mistakes.size() + " mistakes in the annotations of commands:\n")
        + mistakes.stream().map(mistake -> "  - " + mistake).collect(Collectors.joining("\n"));
  }

  /** What was found. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
