// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.retry;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RetryBudget} that several commands share: a share of what they executed together.
 * Thread-safe.
 */
public final class SharedBudget {

  /**
   * A command that shares it.
   *
   * @param key the command's
   * @param executions how many executions it had in the ten seconds before a moment
   */
  public record Member(String key, LongUnaryOperator executions) {}

  private record Figures(int percent, int perSecond) {}

  private final RetryBudget budget;

  /** Added to and removed from as commands come and go, read by any thread. */
  private final CopyOnWriteArrayList<Member> members = new CopyOnWriteArrayList<>();

  /** Written where settings change, read by any thread: always both of one change. */
  private volatile Figures figures;

  /** Nothing is spent, and no command shares it. */
  public SharedBudget(int percent, int perSecond, long nowNanos) {
    this.budget = new RetryBudget(nowNanos);
    this.figures = new Figures(percent, perSecond);
  }

  /** From now on it has these figures; what was drawn counts on. */
  public void change(int percent, int perSecond) {
    figures = new Figures(percent, perSecond);
  }

  /** A command shares it, and its executions count. */
  public void join(Member member) {
    members.add(member);
  }

  /** A command shares it no longer, nor do its executions count. */
  public void leave(Member member) {
    boolean unused = members.remove(member);
  }

  /** The keys of the commands that share it. */
  public List<String> keys() {
    return members.stream().map(Member::key).toList();
  }

  /**
   * Draws one further attempt.
   *
   * @return what was drawn; null if there is none left
   */
  public @Nullable RetryToken draw(long now) {
    Figures present = figures;
    return budget.draw(present.percent, present.perSecond, () -> executions(now), now);
  }

  /** How many were drawn in the last ten seconds. */
  public int spent(long now) {
    return budget.spent(now);
  }

  /** How many more could be drawn. */
  public int left(long now) {
    Figures present = figures;
    return budget.left(present.percent, present.perSecond, () -> executions(now), now);
  }

  private long executions(long now) {
    long all = 0;
    for (Member member : members) {
      all += member.executions.applyAsLong(now);
    }
    return all;
  }
}
