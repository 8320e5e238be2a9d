// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.Columns;

/** The columns that tables of several systems have of what a driver saw. */
public final class ResultColumns {

  /** Whether the users of a closed load were there. */
  public static final Columns<Result> USERS_THERE =
      new Columns<Result>().add("users there", result -> result.presence().said());

  /** Calls that were begun. */
  public static final Columns<Result> SENT =
      new Columns<Result>().add("sent", result -> result.counts().sent());

  /** Calls that were answered. */
  public static final Columns<Result> ANSWERED =
      new Columns<Result>().add("answered", result -> result.counts().answered());

  /** Calls that failed. */
  public static final Columns<Result> FAILED =
      new Columns<Result>().add("failed", result -> result.counts().failed());

  /** Calls that were refused. */
  public static final Columns<Result> REFUSED =
      new Columns<Result>().add("refused", result -> result.counts().refused());

  /** Answers in a second. */
  public static final Columns<Result> PER_SECOND =
      new Columns<Result>().add("answers/s", "%.0f", Result::perSecond);

  /** How late the injector was. */
  public static final Columns<Result> LAG =
      new Columns<Result>().add("injector lag p99 / max ms", Result::lagSaid);

  private ResultColumns() {}
}
