// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The event counts of one command at one moment, and the sums that have to hold when it is quiet.
 */
public record Account(String key, Map<EventType, Long> counts) {

  /** How an execution is answered: exactly one of these. */
  public static final List<EventType> ANSWERS =
      List.of(
          EventType.SUCCESS,
          EventType.FALLBACK_SUCCESS,
          EventType.EXCEPTION_THROWN,
          EventType.CANCELLED);

  /** Why: exactly one of these, unless the caller gave up before there was a reason. */
  public static final List<EventType> CAUSES =
      List.of(
          EventType.SUCCESS,
          EventType.FAILURE,
          EventType.TIMEOUT,
          EventType.DEADLINE_EXCEEDED,
          EventType.BAD_REQUEST,
          EventType.SHORT_CIRCUITED,
          EventType.THREAD_POOL_REJECTED,
          EventType.SEMAPHORE_REJECTED,
          EventType.RATE_LIMITED);

  /** What became of the fallback, where the answer was not simply the work's. */
  private static final List<EventType> UNANSWERED =
      List.of(
          EventType.FALLBACK_FAILURE,
          EventType.FALLBACK_REJECTION,
          EventType.FALLBACK_DISABLED,
          EventType.FALLBACK_MISSING);

  public static Account of(CommandView view) {
    Map<EventType, Long> counts = new EnumMap<>(EventType.class);
    for (EventType event : EventType.values()) {
      counts.put(event, view.cumulativeCount(event));
    }
    return new Account(view.key(), counts);
  }

  /**
   * The counts, once they are balanced and those of so many answers. A thread may be held up
   * between an ending and its count. Then another one answers after a while, and the count comes
   * later.
   *
   * @param what for messages
   */
  public static Account settled(CommandView view, long answers, String what) {
    await()
        .untilAsserted(
            () -> {
              Account account = of(view);
              assertThat(account.answers()).as("%s, %s", what, account).isEqualTo(answers);
              account.assertBalanced();
            });
    return of(view);
  }

  public long of(EventType event) {
    return counts.get(event);
  }

  public long answers() {
    return sum(ANSWERS);
  }

  public long causes() {
    return sum(CAUSES);
  }

  /** Every attempt was decided once, and every execution answered once, as far as counts show. */
  public void assertBalanced() {
    long attempts =
        answers() + of(EventType.RETRY) + of(EventType.HEDGE) - of(EventType.ATTEMPT_OUTRUN);
    long cancelledFirst = attempts - causes();
    assertThat(cancelledFirst)
        .as("attempts less causes: those cancelled before there was a cause, of %s", this)
        .isBetween(0L, of(EventType.CANCELLED));
    long badRequestsAndUnrecoverable = of(EventType.EXCEPTION_THROWN) - sum(UNANSWERED);
    assertThat(badRequestsAndUnrecoverable)
        .as("exceptions thrown without asking for a fallback, of %s", this)
        .isBetween(of(EventType.BAD_REQUEST), of(EventType.BAD_REQUEST) + of(EventType.FAILURE));
  }

  private long sum(List<EventType> events) {
    return events.stream().mapToLong(this::of).sum();
  }
}
