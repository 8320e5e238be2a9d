// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.callback.FailureLog;
import dev.tenrec.core.internal.journal.Journal;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.internal.request.Requests;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.List;

/**
 * What all commands of one Tenrec share on an execution's way.
 *
 * @param ticker reads time
 * @param waiter waits for it
 * @param timer finds deadlines that no thread waits for
 * @param callbacks has the threads for user code, of which each command has a share
 * @param stageCancels the share in which the timer has stages cancelled that run no user code
 * @param failures logs what failed inside
 * @param stages what only closing could end
 * @param closing waits for the calls in flight
 * @param requests which request a thread is at
 * @param listeners are notified of every step
 * @param journal records what happens to circuits, settings and refused calls
 * @param propagators carry context from the caller's thread, the requests' first
 */
public record Engine(
    Ticker ticker,
    Waiter waiter,
    Timer timer,
    CallbackExecutor callbacks,
    CallbackShare stageCancels,
    FailureLog failures,
    RunningStages stages,
    InFlightMonitor closing,
    Requests requests,
    Listeners listeners,
    Journal journal,
    List<ContextPropagator> propagators) {

  /** Copies the list. */
  public Engine {
    propagators = List.copyOf(propagators);
  }
}
