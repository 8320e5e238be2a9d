// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call, as listeners see it. One object stands for the call at every step, and equals no other:
 * a listener may keep things of its own by it. Not to be kept for longer than the call.
 */
public interface ListenedCall {

  /**
   * The key of the command or guard. Of a batch, the key of the command it runs as: that of its
   * collapser, unless it was given a batch key. Of a collapser's cache hit, the collapser's key.
   */
  String commandKey();

  /** The group the command belongs to. */
  String group();

  /**
   * What the command was called with; may be null. Of a batch, the list of its members' arguments;
   * of a guard, an object of the guard's own. Null as well once the ending was reported, as at a
   * thread's end that comes after it.
   */
  @Nullable Object argument();

  /**
   * Whether this is the call that its work sees as {@code call}, so that what the work knows of it
   * can be matched with what listeners are notified of.
   */
  default boolean is(Call call) {
    return this == call;
  }

  /** Where the work runs, by the settings this call began with. */
  IsolationStrategy isolation();

  /**
   * For how long it has been going, from its beginning at the caller; once it has its answer, how
   * long that took.
   */
  Duration elapsed();

  /**
   * How long the work took, on whichever thread; null if it did not begin, and before it has ended.
   * For a time-out, up to the deadline.
   */
  @Nullable Duration executionLatency();

  /**
   * What happened so far, in the order of {@link EventType}: all of it at the ending. At a thread's
   * end that comes after that, the latest may be missing.
   */
  List<EventType> events();
}
