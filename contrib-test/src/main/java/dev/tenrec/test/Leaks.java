// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a test has left behind: permits that are out, work that is still busy, a request that is
 * still on the test's thread, threads after the end. Calls that are just ending get a minute of
 * real time.
 */
public final class Leaks {

  private Leaks() {}

  /**
   * Looks at a Tenrec that goes on: at its permits, its work, and the request of this thread, which
   * it closes if it finds one.
   *
   * @throws AssertionError if something was left; it says what
   */
  public static void assertNone(Tenrec tenrec) {
    assertNone(tenrec, Settling.PATIENCE);
  }

  static void assertNone(Tenrec tenrec, Duration patience) {
    List<String> found = new ArrayList<>(request(tenrec));
    found.addAll(settled(() -> permits(tenrec), patience));
    fail(found);
  }

  /**
   * Looks at a Tenrec as {@link #assertNone} does, closes it, and looks at its threads.
   *
   * @throws AssertionError if something was left; it says what
   */
  public static void assertNoneAndClose(Tenrec tenrec) {
    List<String> found = new ArrayList<>(request(tenrec));
    found.addAll(settled(() -> permits(tenrec), Settling.PATIENCE));
    // with found leaks there is nothing to wait for
    Duration patience = found.isEmpty() ? Duration.ofSeconds(5) : Duration.ZERO;
    for (StillRunning still : tenrec.close(patience)) {
      found.add("still running after the end: " + still);
    }
    found.addAll(settled(() -> threads(tenrec), Settling.PATIENCE));
    fail(found);
  }

  private static List<String> permits(Tenrec tenrec) {
    List<String> found = new ArrayList<>();
    for (CommandDetails command : tenrec.commands()) {
      say(found, command.concurrency(), "permits out, of command '" + command.key() + "'");
      say(found, command.fallbackConcurrency(), "fallbacks running, of '" + command.key() + "'");
      say(found, command.stillBusy(), "works busy after their answer, of '" + command.key() + "'");
    }
    tenrec
        .semaphores()
        .forEach(
            semaphore ->
                say(
                    found,
                    semaphore.inUse(),
                    "permits out, of semaphore '" + semaphore.name() + "'"));
    return found;
  }

  private static List<String> threads(Tenrec tenrec) {
    List<String> found = new ArrayList<>();
    say(found, tenrec.liveThreads(), "threads alive after the end");
    return found;
  }

  private static List<String> request(Tenrec tenrec) {
    RequestContext left = tenrec.currentRequest().orElse(null);
    if (left == null) {
      return List.of();
    }
    left.close();
    return List.of("a request that this thread is still at: close what openRequest() returned");
  }

  private static void say(List<String> found, int count, String what) {
    if (count != 0) {
      found.add(count + " " + what);
    }
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
