// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What answers instead of the work. */
public final class Fallbacks {

  /** Where the fallback is what is measured. */
  public static final Function<Throwable, String> SERVED = cause -> "fallback";

  /** Where there is none: the caller gets what kept it from an answer. */
  public static final @Nullable Function<Throwable, String> NONE = null;

  private Fallbacks() {}

  /** Where no fallback may ever answer: a refusal would make a contender look fast. */
  public static final class Forbidden implements Function<Throwable, String> {

    private final LongAdder answers = new LongAdder();
    private volatile String last = "";

    @Override
    public String apply(Throwable cause) {
      answers.increment();
      last = String.valueOf(cause);
      return "forbidden";
    }

    /** Fails the benchmark if one did. */
    public void check() {
      if (answers.sum() != 0) {
        throw new IllegalStateException(
            "every call has to reach the protected one, but the fallback answered "
                + answers.sum()
                + " times, last because of "
                + last);
      }
    }
  }
}
