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

/** A call timed out. */
@Name("dev.tenrec.Timeout")
@Label("Call timed out")
@Category("Tenrec")
@Description("A call had no answer in time")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class TimeoutEvent extends Event {

  @Label("Command")
  @Nullable String command;

  @Timespan(Timespan.NANOSECONDS)
  @Label("Time-out")
  long timeout;

  @Timespan(Timespan.NANOSECONDS)
  @Label("Execution")
  long execution;

  @Label("Work Begun")
  boolean begun;
}
