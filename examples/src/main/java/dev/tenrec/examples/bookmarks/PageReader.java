// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Reads a page, section by section: first its bookmarks, then who keeps each of them. Knows nothing
 * of batches or caches: that is for the two calls it is given.
 *
 * @param bookmark begins the call for one bookmark
 * @param user begins the call for one user's name
 */
record PageReader(
    Function<Integer, CompletableFuture<Bookmark>> bookmark,
    Function<Integer, CompletableFuture<String>> user) {

  /** The lines of the page. */
  List<String> read(Page page) {
    List<String> lines = new ArrayList<>();
    for (List<Integer> section : page.sections()) {
      List<Bookmark> bookmarks = awaitAll(section.stream().map(bookmark).toList());
      List<String> users =
          awaitAll(bookmarks.stream().map(found -> user.apply(found.owner())).toList());
      for (int i = 0; i < bookmarks.size(); i++) {
        lines.add(bookmarks.get(i).title() + ", kept by " + users.get(i));
      }
    }
    return lines;
  }

  private static <T> List<T> awaitAll(List<CompletableFuture<T>> begun) {
    return begun.stream().map(CompletableFuture::join).toList();
  }
}
