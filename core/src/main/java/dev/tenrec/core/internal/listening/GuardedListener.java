// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.listening;

import dev.tenrec.core.internal.text.LogText;
import dev.tenrec.core.listener.CommandListener;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One listener. What it throws is logged, the first time at each kind of step, and ends here. */
public final class GuardedListener {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

  /** What can be reported, each by its method of {@link CommandListener}. */
  public enum Step {
    START("onStart"),
    THREAD_START("onThreadStart"),
    WORK_START("onWorkStart"),
    ATTEMPT("onAttempt"),
    HEDGE("onHedge"),
    EMIT("onEmit"),
    WORK_SUCCESS("onWorkSuccess"),
    WORK_ERROR("onWorkError"),
    THREAD_END("onThreadEnd"),
    FALLBACK_START("onFallbackStart"),
    FALLBACK_EMIT("onFallbackEmit"),
    FALLBACK_SUCCESS("onFallbackSuccess"),
    FALLBACK_ERROR("onFallbackError"),
    SUCCESS("onSuccess"),
    ERROR("onError"),
    CANCEL("onCancel"),
    CACHE_HIT("onCacheHit"),
    CACHE_HIT_END("onCacheHitEnd"),
    TRANSITION("onTransition"),
    SETTING_CHANGE("onSettingChange");

    private final String method;

    Step(String method) {
      this.method = method;
    }
  }

  private final CommandListener listener;

  /** Bit n: it threw at the step of ordinal n. Written and read by any thread it throws on. */
  private final AtomicInteger thrownAt = new AtomicInteger();

  public GuardedListener(CommandListener listener) {
    this.listener = listener;
  }

  /** Never throws. */
  public void report(Step step, String key, Consumer<CommandListener> what) {
    try {
      what.accept(listener);
    } catch (Throwable thrown) { // Errors too: no ending and no permit may be lost by it
      warn(step, key, thrown);
    }
  }

  private void warn(Step step, String key, Throwable thrown) {
    int bit = 1 << step.ordinal();
    if ((thrownAt.getAndUpdate(seen -> seen | bit) & bit) != 0) {
      return;
    }
    try {
      LOG.warn(
          "{}: listener {} threw at {}, which changes nothing; it is not logged again",
          LogText.of(key),
          listener.getClass().getName(),
          step.method,
          thrown);
    } catch (Throwable loggers) { // no memory, no stack: there is nothing left to do
      return;
    }
  }
}
