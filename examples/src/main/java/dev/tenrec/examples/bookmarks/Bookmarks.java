// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import java.time.Duration;

/**
 * A page of 300 bookmarks and of those who keep them: read with a call for each, and read again
 * batched and remembered within one request. Prints what came of the calls, by Tenrec's count and
 * by the service's.
 */
public final class Bookmarks {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 5;

  private Bookmarks() {}

  /** Runs it; the exit code is 0 if all adds up. */
  public static void main(String[] arguments) throws Exception {
    Account account = run(Tenrec.builder());
    Report.print(account, System.out);
    System.exit(account.holds() ? 0 : 1);
  }

  /** Reads the page in both ways, and stops all it has started. */
  static Account run(TenrecBuilder builder) throws Exception {
    Page page = Page.ofOneVisitor();
    Library library = new Library();
    try (LibraryService service = LibraryService.open(library)) {
      return run(builder, page, library, service);
    }
  }

  private static Account run(
      TenrecBuilder builder, Page page, Library library, LibraryService service) throws Exception {
    try (LibraryClient client = new LibraryClient(service.uri());
        Tenrec tenrec = builder.build()) {
      greet(client);
      Readings readings = new Readings(tenrec, client, library);
      Reading oneByOne = readings.oneByOne(page);
      Reading batched = readings.batched(page);
      int stillRunning = tenrec.close(PATIENCE).size();
      return new Account(page, oneByOne, batched, stillRunning + threadsLeft(tenrec));
    }
  }

  /** Waits a little: a thread dies a moment after it was asked to. */
  private static int threadsLeft(Tenrec tenrec) throws InterruptedException {
    long begin = System.nanoTime();
    while (tenrec.liveThreads() > 0 && System.nanoTime() - begin < PATIENCE.toNanos()) {
      Thread.sleep(LOOK_MILLIS);
    }
    return tenrec.liveThreads();
  }

  /** What the JVM has to load for the first call would look like a slow first reading. */
  private static void greet(LibraryClient client) throws Exception {
    if (client.bookmark(0).title().isEmpty() || client.user(0).isEmpty()) {
      throw new IllegalStateException("the library gave an empty answer");
    }
  }
}
