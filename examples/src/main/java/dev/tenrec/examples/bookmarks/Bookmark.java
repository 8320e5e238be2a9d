// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

/**
 * A page somebody wants to find again.
 *
 * @param owner who keeps it, by id
 */
record Bookmark(int id, int owner, String title) {

  String line() {
    return id + "\t" + owner + "\t" + title;
  }

  static Bookmark parse(String line) {
    String[] parts = line.split("\t", -1);
    return new Bookmark(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
  }
}
