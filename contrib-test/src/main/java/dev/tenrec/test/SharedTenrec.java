// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A Tenrec that several tests share, one after the other, as those of a Spring context do:
 * {@code @TenrecTest} has one; other frameworks call it before and after each of their tests. What
 * a test has left is found in that test, and no other is blamed for it.
 *
 * <p>Between two tests faults are taken back, and so is what the test set in memory ({@link
 * Tenrec#set}); circuits are closed, rolling metrics begin anew, and {@link CommandAssert} counts
 * from there. Virtual time moves on by an hour, so that rate limits and budgets are whole again.
 *
 * <p>Not undone are what the test cleared of what others had set in memory, or set to what a weaker
 * source says; in real time what was drawn on rate limits and budgets; and what only the end of the
 * Tenrec ends: work that is stuck, and commands that were built. For tests one after the other, not
 * for tests at once.
 */
public final class SharedTenrec {

  /** Longer than budgets look back and than most rate limits are spread over. */
  private static final Duration BETWEEN_TESTS = Duration.ofHours(1);

  private final Tenrec tenrec;
  private final Faults faults;
  private final LeftBefore before = new LeftBefore();
  private Map<String, String> settings;

  /**
   * One that no test has used so far.
   *
   * @param faults applied to the builder of this Tenrec; they are attached to it
   */
  public SharedTenrec(Tenrec tenrec, Faults faults) {
    this.tenrec = Objects.requireNonNull(tenrec, "tenrec");
    this.faults = Objects.requireNonNull(faults, "faults");
    faults.attach(tenrec);
    settings = tenrec.resolvedSettings().properties();
  }

  /** What has been so far is not this test's. On the thread the test will run on. */
  public void beforeTest() {
    before.forgetWhatHasEnded(tenrec);
    settings = tenrec.resolvedSettings().properties();
    Baselines.beginAnew(tenrec);
  }

  /**
   * Looks for what the test has left, if it has passed, and gets the Tenrec ready for the next one.
   * On the thread the test ran on.
   *
   * @param passed if not, what it has left is not what is wrong
   * @throws AssertionError if it passed, but has left permits, a request or a deadline, as {@link
   *     Leaks} says
   */
  public void afterTest(boolean passed) {
    faults.clear();
    try {
      if (passed) {
        Leaks.assertNone(tenrec, faults, before, Settling.PATIENCE);
      } else {
        Leaks.closeRequests(tenrec, faults);
      }
    } finally {
      before.remember(tenrec);
      beginAnew();
    }
  }

  private void beginAnew() {
    restoreSettings();
    for (CommandDetails command : tenrec.commands()) {
      boolean unused = tenrec.closeCircuit(command.key(), "a test has ended");
    }
    VirtualTime time = faults.time();
    if (time != null) {
      time.advance(BETWEEN_TESTS);
    }
    tenrec.resetMetrics();
  }

  /**
   * What is gone when memory is cleared of it, was set there; what was set there before is back.
   */
  private void restoreSettings() {
    Map<String, String> then = tenrec.resolvedSettings().properties();
    List<String> changed =
        then.entrySet().stream()
            .filter(setting -> !setting.getValue().equals(settings.get(setting.getKey())))
            .map(Map.Entry::getKey)
            .toList();
    if (changed.isEmpty()) {
      return;
    }
    try {
      tenrec.clear(changed);
    } catch (IllegalStateException ofASourceOfItsOwn) {
      return; // in which no test can set anything here
    }
    Map<String, String> now = tenrec.resolvedSettings().properties();
    Map<String, String> back = new LinkedHashMap<>();
    for (String key : changed) {
      String first = settings.get(key);
      boolean wasInMemory = !Objects.equals(now.get(key), then.get(key));
      if (wasInMemory && first != null && !first.equals(now.get(key))) {
        back.put(key, first);
      }
    }
    if (!back.isEmpty()) {
      tenrec.set(back);
    }
  }
}
