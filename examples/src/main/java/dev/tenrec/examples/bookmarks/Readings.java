// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.Ticker;
import java.time.Duration;
import java.util.List;

/** The same page, read in two ways. */
final class Readings {

  private static final Duration PATIENCE = Duration.ofMinutes(2); // also for a busy machine

  private final Tenrec tenrec;
  private final LibraryClient client;
  private final Library library;
  private final Ticker ticker = Ticker.system();

  Readings(Tenrec tenrec, LibraryClient client, Library library) {
    this.tenrec = tenrec;
    this.client = client;
    this.library = library;
  }

  /** A call, an execution and an HTTP request for each bookmark and each user. */
  Reading oneByOne(Page page) {
    Command<Integer, Bookmark> getBookmark =
        tenrec
            .command("GetBookmarkAlone", (Integer id) -> client.bookmark(id))
            .isolation(Isolation.threadPool().coreSize(10).queueSize(1_000))
            .timeout(PATIENCE)
            .build();
    Command<Integer, String> getUser =
        tenrec
            .command("GetUserAlone", (Integer id) -> client.user(id))
            .isolation(Isolation.threadPool().coreSize(10).queueSize(1_000))
            .timeout(PATIENCE)
            .build();
    Library.Asked before = library.asked();
    long startNanos = ticker.nanoTime();
    List<String> lines =
        new PageReader(getBookmark::executeAsync, getUser::executeAsync).read(page);
    return new Reading(
        lines,
        ticker.nanoTime() - startNanos,
        library.asked().since(before),
        new Reading.Bookmarks(0, successes(getBookmark), 0),
        new Reading.Users(successes(getUser), 0),
        "");
  }

  /**
   * Bookmarks asked for at the same time go together, and no bookmark or user is asked for twice in
   * one request. The reader is the same.
   */
  Reading batched(Page page) {
    Collapser<Integer, Bookmark> getBookmark =
        tenrec
            .collapser("GetBookmark", (List<Integer> ids) -> client.bookmarks(ids))
            .maxRequestsInBatch(Library.LARGEST_BATCH)
            .timerDelay(Duration.ofMillis(10))
            .cacheKey(id -> id)
            .timeout(PATIENCE)
            .build();
    Command<Integer, String> getUser =
        tenrec
            .command("GetUser", (Integer id) -> client.user(id))
            .isolation(Isolation.threadPool().coreSize(10).queueSize(1_000))
            .cacheKey(id -> id)
            .timeout(PATIENCE)
            .build();
    Library.Asked before = library.asked();
    long startNanos = ticker.nanoTime();
    List<String> lines;
    String log;
    try (RequestContext request = tenrec.openRequest()) {
      lines = new PageReader(getBookmark::executeAsync, getUser::executeAsync).read(page);
      log = request.log().toString();
    }
    return new Reading(
        lines,
        ticker.nanoTime() - startNanos,
        library.asked().since(before),
        new Reading.Bookmarks(
            getBookmark.view().cumulativeBatches(),
            getBookmark.view().cumulativeMembers(),
            getBookmark.view().cumulativeCacheHits()),
        new Reading.Users(
            successes(getUser), getUser.view().cumulativeCount(EventType.RESPONSE_FROM_CACHE)),
        log);
  }

  private static long successes(Command<?, ?> command) {
    return command.view().cumulativeCount(EventType.SUCCESS);
  }
}
