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

/** Work that was given up has ended. */
@Name("dev.tenrec.StillBusy")
@Label("Still busy")
@Category("Tenrec")
@Description("Work that went on after its call had been answered has ended")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class StillBusyEvent extends Event {

  @Label("Command")
  @Nullable String command;

  @Timespan(Timespan.NANOSECONDS)
  @Label("Busy after Answer")
  long busy;
}
