// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.Deadline;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * What earlier tests have left on a Tenrec that goes on, and nobody can take away: permits that are
 * out, fallbacks, and deadlines of threads. No later test is blamed for it. Not thread-safe, but
 * for one test after the other.
 */
final class LeftBefore {

  /** By what it is, as it is found. Of a command's works, those that are busy hold permits, too. */
  private final Map<String, Integer> held = new HashMap<>();

  private final Set<Thread> withinDeadlines = Collections.newSetFromMap(new WeakHashMap<>());

  /** All that is there now was left by an earlier test. */
  void remember(Tenrec tenrec) {
    held.clear();
    held.putAll(heldNow(tenrec));
    if (Deadline.current(tenrec).isPresent()) {
      withinDeadlines.add(Thread.currentThread());
    }
  }

  /** What has come to its end since: more of it, later, is another test's. */
  void forgetWhatHasEnded(Tenrec tenrec) {
    Map<String, Integer> now = heldNow(tenrec);
    held.replaceAll((what, before) -> Math.min(before, now.getOrDefault(what, 0)));
    if (Deadline.current(tenrec).isEmpty()) {
      withinDeadlines.remove(Thread.currentThread());
    }
  }

  private static Map<String, Integer> heldNow(Tenrec tenrec) {
    Map<String, Integer> now = new HashMap<>();
    for (CommandDetails command : tenrec.commands()) {
      now.put(permits(command), Math.max(command.concurrency(), command.stillBusy()));
      now.put(fallbacks(command), command.fallbackConcurrency());
    }
    tenrec.semaphores().forEach(each -> now.put(permits(each.name()), each.inUse()));
    return now;
  }

  /** One line for each kind of thing of which there are more. */
  List<String> foundBeyond(Tenrec tenrec) {
    List<String> found = new ArrayList<>();
    for (CommandDetails command : tenrec.commands()) {
      int known = known(permits(command));
      say(found, command.concurrency(), known, permits(command));
      say(found, command.fallbackConcurrency(), known(fallbacks(command)), fallbacks(command));
      say(
          found,
          command.stillBusy(),
          known,
          "works busy after their answer, of '" + command.key() + "'");
    }
    tenrec
        .semaphores()
        .forEach(
            each -> {
              String what = permits(each.name());
              say(found, each.inUse(), known(what), what);
            });
    return found;
  }

  boolean isWithinADeadlineOfBefore(Thread thread) {
    return withinDeadlines.contains(thread);
  }

  private static String permits(CommandDetails command) {
    return "permits out, of command '" + command.key() + "'";
  }

  private static String fallbacks(CommandDetails command) {
    return "fallbacks running, of '" + command.key() + "'";
  }

  private static String permits(String semaphore) {
    return "permits out, of semaphore '" + semaphore + "'";
  }

  private int known(String what) {
    return held.getOrDefault(what, 0);
  }

  private static void say(List<String> found, int count, int known, String what) {
    if (count > known) {
      String since = known == 0 ? "" : " (" + (count - known) + " since an earlier test)";
      found.add(count + " " + what + since);
    }
  }
}
