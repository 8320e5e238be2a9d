// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A pool at a moment; once a second by default. */
@Name("dev.tenrec.PoolSample")
@Label("Pool sample")
@Category("Tenrec")
@Description("A thread pool at a moment")
@Period("1 s")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads them
final class PoolSampleEvent extends Event {

  @Label("Pool")
  @Nullable String pool;

  @Label("Active")
  int active;

  @Label("Threads")
  int threads;

  @Label("Queued")
  int queued;

  @Label("Core Size")
  int coreSize;

  @Label("Maximum Size")
  int maximumSize;

  @Label("Executed")
  long executed;

  @Label("Rejected")
  long rejected;
}
