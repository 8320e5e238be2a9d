// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import org.jspecify.annotations.Nullable;

/**
 * One line of a table as it was last sent. Of the feed's thread only.
 *
 * @param <V> the kind of view
 */
final class Row<V> {

  final int id;
  final V view;

  /** Its id, and what hardly ever changes of it. */
  String name;

  /** What the name was made of that may change; null if there is nothing. */
  @Nullable String beside;

  /** Its id and its figures, as JSON. */
  String figures = "";

  /** Its id, and why it is as it is, as JSON; null if there is nothing to say. */
  @Nullable String why;

  /** The reading that it was last seen in. */
  long seen;

  Row(int id, V view, String name) {
    this.id = id;
    this.view = view;
    this.name = name;
  }
}
