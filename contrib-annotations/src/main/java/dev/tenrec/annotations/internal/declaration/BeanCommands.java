// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.annotations.Mistake;
import java.util.List;

/**
 * What the annotations of one class say.
 *
 * @param type the class
 * @param commands its commands
 * @param collapsers its collapsers
 * @param removals its methods that remove cached results
 * @param mistakes what is wrong; if there is anything, nothing of the class is to be used
 */
public record BeanCommands(
    Class<?> type,
    List<DeclaredCommand> commands,
    List<DeclaredCollapser> collapsers,
    List<DeclaredRemoval> removals,
    List<Mistake> mistakes) {

  /** Whether there is no annotation at all. */
  public boolean isEmpty() {
    return commands.isEmpty() && collapsers.isEmpty() && removals.isEmpty() && mistakes.isEmpty();
  }
}
