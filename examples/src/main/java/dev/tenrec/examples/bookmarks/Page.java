// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What one visitor wants to see: three lists of bookmarks, in some of which are the same.
 *
 * @param sections the ids of each list
 */
record Page(List<List<Integer>> sections) {

  private static final int LENGTH = 100;

  /** The latest, those most read, and those of friends. */
  static Page ofOneVisitor() {
    return new Page(Stream.of(0, 50, 140).map(Page::from).toList());
  }

  private static List<Integer> from(int first) {
    return IntStream.range(first, first + LENGTH).boxed().toList();
  }

  /** How many bookmarks it shows. */
  int bookmarks() {
    return sections.stream().mapToInt(List::size).sum();
  }

  /** How many of them are different. */
  int different() {
    return (int) sections.stream().flatMap(List::stream).distinct().count();
  }
}
