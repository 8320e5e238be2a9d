// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A call was refused. Off by default, for there may be a million a second. */
@Name("dev.tenrec.Refused")
@Label("Call refused")
@Category("Tenrec")
@Description(
    "A call was refused by an open circuit, a pool, a semaphore, or for want of room for its fallback")
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class RefusedEvent extends Event {

  @Label("Command")
  @Nullable String command;

  @Label("Reason")
  @Nullable String reason;

  @Label("Pool or Semaphore")
  @Nullable String bulkhead;

  @Label("In Use")
  int inUse;

  @Label("Limit")
  int limit;
}
