// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.metrics.PatientWaits;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Every method of a listener as one: what was reported, of which call, with what, where. */
public abstract class Steps implements CommandListener {

  /** All that can be reported of a call, in the words of the tests. */
  public static final List<String> ALL =
      List.of(
          "start",
          "thread start",
          "work start",
          "work success",
          "work error",
          "attempt",
          "thread end",
          "fallback start",
          "fallback success",
          "fallback error",
          "success",
          "error",
          "cancel",
          "cache hit");

  public static final List<String> ENDINGS = List.of("success", "error", "cancel");

  /** One of them. */
  public record Notification(
      String step, ListenedCall call, @Nullable Object what, Thread thread) {}

  /**
   * Keeps what is reported of one command. Endings come after the answer, on other threads: reading
   * waits until each call that was started has one.
   */
  public static final class Recorded extends Steps {

    private final String key;
    private final List<Notification> notifications = new CopyOnWriteArrayList<>();

    public Recorded() {
      this("Subject");
    }

    public Recorded(String key) {
      this.key = key;
    }

    @Override
    public void step(String step, ListenedCall call, @Nullable Object what) {
      if (call.commandKey().equals(key)) {
        notifications.add(new Notification(step, call, what, Thread.currentThread()));
      }
    }

    public List<Notification> notifications() {
      awaitEndings();
      return notifications;
    }

    public List<String> names() {
      return notifications().stream().map(Notification::step).toList();
    }

    /** Without waiting for anything. */
    public List<String> namesSoFar() {
      return notifications.stream().map(Notification::step).toList();
    }

    /** Forgets the calls that were made, once they have their endings. */
    public void clear() {
      notifications().clear();
    }

    /** Every start has one ending, and no ending lacks its start. */
    public void assertEndedOnce() {
      awaitEndings();
      List<ListenedCall> ended = calls(ENDINGS);
      if (!Set.copyOf(ended).equals(Set.copyOf(calls(List.of("start"))))
          || Set.copyOf(ended).size() != ended.size()) {
        throw new AssertionError("not one ending for each start: " + notifications);
      }
    }

    private List<ListenedCall> calls(List<String> steps) {
      return notifications.stream()
          .filter(one -> steps.contains(one.step()))
          .map(Notification::call)
          .toList();
    }

    private void awaitEndings() {
      try {
        Scenario.await()
            .atMost(PatientWaits.patience())
            .until(() -> calls(ENDINGS).containsAll(calls(List.of("start"))));
      } catch (ConditionTimeoutException e) {
        throw new AssertionError("a call was started and not ended: " + namesSoFar(), e);
      }
    }

    /** The only one of this name. */
    public Notification only(String step) {
      List<Notification> found =
          notifications().stream().filter(one -> one.step().equals(step)).toList();
      if (found.size() != 1) {
        throw new AssertionError(step + " is not there once: " + namesSoFar());
      }
      return found.get(0);
    }
  }

  /** Notified of any step of a call. */
  public abstract void step(String step, ListenedCall call, @Nullable Object what);

  @Override
  public void onStart(ListenedCall call) {
    step("start", call, null);
  }

  @Override
  public void onThreadStart(ListenedCall call) {
    step("thread start", call, null);
  }

  @Override
  public void onWorkStart(ListenedCall call) {
    step("work start", call, null);
  }

  @Override
  public void onAttempt(ListenedCall call, int attempt, Throwable failure) {
    step("attempt", call, failure);
  }

  @Override
  public void onEmit(ListenedCall call, @Nullable Object item) {
    step("emit", call, item);
  }

  @Override
  public void onWorkSuccess(ListenedCall call, @Nullable Object value) {
    step("work success", call, value);
  }

  @Override
  public void onWorkError(ListenedCall call, Throwable error) {
    step("work error", call, error);
  }

  @Override
  public void onThreadEnd(ListenedCall call) {
    step("thread end", call, null);
  }

  @Override
  public void onFallbackStart(ListenedCall call, Throwable cause) {
    step("fallback start", call, cause);
  }

  @Override
  public void onFallbackEmit(ListenedCall call, @Nullable Object item) {
    step("fallback emit", call, item);
  }

  @Override
  public void onFallbackSuccess(ListenedCall call, @Nullable Object value) {
    step("fallback success", call, value);
  }

  @Override
  public void onFallbackError(ListenedCall call, Throwable error) {
    step("fallback error", call, error);
  }

  @Override
  public void onSuccess(ListenedCall call, @Nullable Object value) {
    step("success", call, value);
  }

  @Override
  public void onError(ListenedCall call, Throwable error) {
    step("error", call, error);
  }

  @Override
  public void onCancel(ListenedCall call, Throwable why) {
    step("cancel", call, why);
  }

  @Override
  public void onCacheHit(ListenedCall call) {
    step("cache hit", call, null);
  }

  @Override
  public void onTransition(String commandKey, Transition transition) {
    throw new AssertionError(commandKey + ": no transition was expected: " + transition);
  }

  @Override
  public void onSettingChange(SettingChange change) {
    throw new AssertionError("no change was expected: " + change);
  }
}
