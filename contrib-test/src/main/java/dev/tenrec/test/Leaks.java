// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.Deadline;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a test has left behind: permits that are out, work that is still busy, threads after the
 * end, and contexts. These are a request or a deadline that is still on the test's thread, with
 * {@link Faults} also a request that is open elsewhere, and with {@link TestTenrec#watch} a value
 * that stayed on a thread. Calls that are just ending get a minute of real time.
 *
 * <p>Not found are a request in which no work has begun, if another thread has opened it or this
 * one has left it, and a deadline that is still open on another thread.
 */
public final class Leaks {

  private Leaks() {}

  /**
   * Looks at a Tenrec that goes on: at its permits, its work, and the requests and the deadline of
   * this thread. It closes the requests it finds; a deadline it cannot take away.
   *
   * @throws AssertionError if something was left; it says what
   */
  public static void assertNone(Tenrec tenrec) {
    assertNone(tenrec, null, Settling.PATIENCE);
  }

  /**
   * Looks at a Tenrec as {@link #assertNone(Tenrec)} does, and at the requests in which work has
   * begun since these faults were attached, whichever threads are at them. It closes those that are
   * open.
   *
   * @param faults attached to this Tenrec
   * @throws AssertionError if something was left; it says what
   */
  public static void assertNone(Tenrec tenrec, Faults faults) {
    assertNone(tenrec, faults, Settling.PATIENCE);
  }

  static void assertNone(Tenrec tenrec, @Nullable Faults faults, Duration patience) {
    assertNone(tenrec, faults, new LeftBefore(), patience);
  }

  /**
   * The same.
   *
   * @param before what is not this test's
   */
  static void assertNone(
      Tenrec tenrec, @Nullable Faults faults, LeftBefore before, Duration patience) {
    fail(left(tenrec, faults, before, patience));
  }

  /** Closes the requests of this thread, and with the faults those of others, and says nothing. */
  static void closeRequests(Tenrec tenrec, Faults faults) {
    List<String> unused = requestsOfThisThread(tenrec);
    OpenRequests requests = faults.openRequests();
    if (requests != null) {
      requests.close();
    }
  }

  /**
   * Looks at a Tenrec as {@link #assertNone(Tenrec)} does, closes it, and looks at its threads.
   *
   * @throws AssertionError if something was left; it says what
   */
  public static void assertNoneAndClose(Tenrec tenrec) {
    assertNoneAndClose(tenrec, null, List::of, Settling.PATIENCE);
  }

  /**
   * The same.
   *
   * @param values what stayed on threads, asked when they have ended
   */
  static void assertNoneAndClose(
      Tenrec tenrec, @Nullable Faults faults, Supplier<List<String>> values, Duration patience) {
    List<String> found = left(tenrec, faults, new LeftBefore(), patience);
    // with found leaks there is nothing to wait for
    Duration toEnd = found.isEmpty() ? Duration.ofSeconds(5) : Duration.ZERO;
    for (StillRunning still : tenrec.close(toEnd)) {
      found.add("still running after the end: " + still);
    }
    found.addAll(settled(() -> threads(tenrec), patience));
    found.addAll(values.get());
    fail(found);
  }

  private static List<String> left(
      Tenrec tenrec, @Nullable Faults faults, LeftBefore before, Duration patience) {
    List<String> found = requestsOfThisThread(tenrec);
    if (Deadline.current(tenrec).isPresent()
        && !before.isWithinADeadlineOfBefore(Thread.currentThread())) {
      found.add("a deadline that this thread is still within: close what open() returned");
    }
    OpenRequests requests = faults == null ? null : faults.openRequests();
    found.addAll(
        settled(
            () -> {
              List<String> now = before.foundBeyond(tenrec);
              if (requests != null) {
                now.addAll(requests.found());
              }
              return now;
            },
            patience));
    if (requests != null) {
      requests.close();
    }
    return found;
  }

  private static List<String> threads(Tenrec tenrec) {
    int alive = tenrec.liveThreads();
    return alive == 0 ? List.of() : List.of(alive + " threads alive after the end");
  }

  private static List<String> requestsOfThisThread(Tenrec tenrec) {
    List<String> found = new ArrayList<>();
    Optional<RequestContext> at = tenrec.currentRequest();
    while (at.isPresent()) { // below it there may be one that it hid
      RequestContext request = at.get();
      if (!request.isClosed()) { // else what another thread has closed, as it may
        found.add("a request that this thread is still at: close what openRequest() returned");
        request.close();
      }
      request.leave(); // which closing does for the thread that opened it, and for no other
      at = tenrec.currentRequest();
    }
    return found;
  }

  /** What is found when nothing changes any more, or patience ends. */
  private static List<String> settled(Supplier<List<String>> look, Duration patience) {
    return Settling.settled(look, List::isEmpty, patience);
  }

  private static void fail(List<String> found) {
    if (!found.isEmpty()) {
      throw new AssertionError("the test has left:\n- " + String.join("\n- ", found));
    }
  }
}
