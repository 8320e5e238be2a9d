// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A call was beyond its deadline. */
@Name("dev.tenrec.BeyondDeadline")
@Label("Call beyond its deadline")
@Category("Tenrec")
@Description("A call was ended, or not begun, by the deadline of the call it was made in")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class BeyondDeadlineEvent extends Event {

  @Label("Command")
  @Nullable String command;

  @Timespan(Timespan.NANOSECONDS)
  @Label("Execution")
  long execution;

  @Label("Work Begun")
  boolean begun;
}
