// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import dev.tenrec.core.outcome.Described;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers that no member asked for: logged once for a collapser, since they come with each batch.
 */
public final class UnknownAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(UnknownAnswers.class);

  private final String key;

  /** Set by the first thread that finds such answers. */
  private final AtomicBoolean told = new AtomicBoolean();

  /** None yet, of the collapser {@code key}. */
  public UnknownAnswers(String key) {
    this.key = key;
  }

  void ignored(@Nullable Object argument) {
    if (!told.get() && told.compareAndSet(false, true)) {
      LOG.warn(
          "{}: a batch brought an answer for an argument ({}) that it was not asked for; this and all"
              + " like it are ignored, and not logged again",
          key,
          Described.value(argument));
    }
  }

  /** Whether there was one. */
  public boolean any() {
    return told.get();
  }
}
