// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
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

  @Label("Explanation")
  @Nullable String explanation;
}
