// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A call, from its beginning to its answer. Off by default, and then of 20 ms or more. */
@Name("dev.tenrec.Call")
@Label("Call")
@Category("Tenrec")
@Description("A call of a command, from its beginning to its answer")
@Enabled(false)
@Threshold("20 ms")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class CallEvent extends Event implements FlightCall {

  @Label("Command")
  @Nullable String command;

  @Label("Group")
  @Nullable String group;

  @Label("Isolation")
  @Nullable String isolation;

  @Label("Events")
  @Description("What was counted for this call")
  @Nullable String events;

  @Label("Execution")
  @Description("How long the work took; negative if it did not begin")
  @Timespan(Timespan.NANOSECONDS)
  long execution;

  @Label("Members")
  @Description("How many members it answered for, if it was a batch")
  int members;

  @Label("Items")
  @Description("Items of a stream that were passed on")
  long items;

  @Label("Fallback Items")
  @Description("Items of a fallback stream that were passed on")
  long fallbackItems;

  @Override
  public void batched(int members) {
    this.members = members;
  }

  @Override
  public void item(boolean fallback) {
    if (fallback) {
      fallbackItems++;
    } else {
      items++;
    }
  }

  @Override
  public void ended(
      String command, String group, String isolation, String events, long executionNanos) {
    end();
    if (shouldCommit()) {
      this.command = command;
      this.group = group;
      this.isolation = isolation;
      this.events = events;
      this.execution = executionNanos;
      commit();
    }
  }
}
