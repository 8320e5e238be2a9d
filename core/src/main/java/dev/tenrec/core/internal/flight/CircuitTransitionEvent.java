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

/** A circuit has changed its state. */
@Name("dev.tenrec.CircuitTransition")
@Label("Circuit transition")
@Category("Tenrec")
@Description("A circuit has changed its state")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class CircuitTransitionEvent extends Event {

  @Label("Command")
  @Nullable String command;

  @Label("From")
  @Nullable String from;

  @Label("To")
  @Nullable String to;

  @Label("Reason")
  @Nullable String reason;

  /** In words and with the figures below. */
  @Label("Explanation")
  @Nullable String explanation;

  /** Null unless it was made by hand. */
  @Label("Remark")
  @Nullable String remark;

  @Label("Number")
  @Description("1 for the first transition of this circuit")
  long number;

  @Label("Calls")
  @Description("Calls in the window that the circuit opened on")
  long calls;

  /** Those that were rejected among them. */
  @Label("Errors")
  long errors;

  @Label("Rejected")
  long rejected;

  @Label("Slow")
  long slow;

  @Label("Trouble Percentage")
  @Description("Errors and slow calls, in whole per cent, rounded down")
  int troublePercentage;

  @Label("Error Threshold Percentage")
  int errorThresholdPercentage;

  @Label("Request Volume Threshold")
  int requestVolumeThreshold;

  @Label("Half-Open Trials")
  int halfOpenTrials;

  @Label("Sleep Window")
  @Timespan(Timespan.NANOSECONDS)
  long sleepWindow;
}
