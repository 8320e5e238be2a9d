// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.text.LogText;
import dev.tenrec.core.outcome.Described;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers that no member asked for: logged once for a collapser, since they come with each batch.
 * Not on the thread that answers, because loggers may block.
 */
public final class UnknownAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(UnknownAnswers.class);

  private final String key;
  private final Consumer<CallbackTask> share;

  /** Set by the first thread that finds such answers. */
  private final AtomicBoolean logged = new AtomicBoolean();

  /**
   * None yet.
   *
   * @param key the collapser's
   * @param share has other threads run what it is given; neither waits nor throws
   */
  public UnknownAnswers(String key, Consumer<CallbackTask> share) {
    this.key = key;
    this.share = share;
  }

  void ignored(@Nullable Object argument) {
    if (!logged.get() && logged.compareAndSet(false, true)) {
      try {
        share.accept(CallbackTask.of(() -> log(argument)));
      } catch (Throwable noMemory) { // the members have answers to get
        logged.set(false);
      }
    }
  }

  private void log(@Nullable Object argument) {
    LOG.warn(
        "{}: a batch brought an answer for an argument ({}) that it was not asked for; this and"
            + " all like it are ignored, and not logged again",
        LogText.of(key),
        Described.value(argument));
  }

  /** Whether there was one. */
  public boolean any() {
    return logged.get();
  }
}
