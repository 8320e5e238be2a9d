// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Of traces that say little, and of stacks that are too deep for a trace. */
class InterruptOriginTest {

  private static InterruptedException with(StackTraceElement... trace) {
    InterruptedException made = new InterruptedException();
    made.setStackTrace(trace);
    return made;
  }

  private static InterruptedException foreign() {
    return with(new StackTraceElement("client.Client", "ask", "Client.java", 1));
  }

  /** As one that another thread has made, and that was cut short. */
  @Test
  void trace_ofNothingButWhereThreadsBegin_isFromElsewhere() {
    StackTraceElement[] here = new Throwable().getStackTrace();

    assertThat(InterruptOrigin.mayBeHere(with(here[here.length - 1]))).isFalse();
    assertThat(InterruptOrigin.mayBeHere(foreign())).isFalse();
  }

  @Test
  void noTrace_mayBeFromHere() {
    assertThat(InterruptOrigin.mayBeHere(with())).isTrue();
  }

  /** By way of frames that are not ours, as user code's are. */
  private static boolean mayBeHere(InterruptedException thrown, int deeper) {
    return deeper == 0
        ? InterruptOrigin.mayBeHere(thrown)
        : Optional.of(thrown).map(same -> mayBeHere(same, deeper - 1)).get();
  }

  /** The trace of this thread does not show where it begins, so nothing can be compared. */
  @Test
  void trace_thatCannotBeCompared_mayBeFromHere() {
    assertThat(mayBeHere(foreign(), 500)).isTrue();
  }
}
